import type { ReadBodyOf } from '#contract/call/call.ts'
import {
  type acknowledgeIncident,
  type IncidentDetails,
  MOST_SNOOZE_DAYS,
  type mergeIncidents,
  type noteIncident,
  type snoozeIncident,
  type splitIncident,
} from '#contract/http/alerting/incidents.ts'
import type { CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { type IncidentRow, toIncident } from '#server/incidents/shownIncidents.store.ts'
import {
  findOwnerName,
  incidentOf,
  lockIncidents,
  mergeParts,
  noteAction,
  readAlertIds,
  readDeviceIds,
  splitParts,
  writeOwner,
  writeSnooze,
} from './incidentActions.store.ts'
import { readDetails } from './incidentDetails.ts'
import { findIncident } from './incidents.store.ts'

export type IncidentDeps = Pick<Given, 'db' | 'clock' | 'live'>

interface Changed {
  readonly before: object
  readonly after: object
  /** The incident that the call answers, when it is not the requested one. */
  readonly answers?: IncidentId
  /** The devices whose alerts have moved; without them all devices of the incident are meant. */
  readonly devices?: ReadonlySet<DeviceId>
}

/** Throws when a precondition fails in the transaction. */
type Precondition = (transaction: Tx, row: IncidentRow) => Promise<void>

/** Makes one change of an incident that the caller sees whole, while nothing is folded. */
async function changeIncident(
  { db, clock, live }: IncidentDeps,
  id: IncidentId,
  { caller, change }: { readonly caller: Pick<Caller, 'customerId'>; readonly change: ChangeRecord },
  work: (transaction: Tx, row: IncidentRow) => Promise<Changed>,
): Promise<IncidentDetails> {
  change.about({ id })
  const scope = scopeOf(caller)
  const [answer, devices] = await db.transaction().execute(async (transaction) => {
    await lockIncidents(transaction)
    const row = await requireWhole(transaction, scope, id, clock.now())
    const { title } = toIncident(row, scope, clock.now())
    change.about({ id: row.id, name: title })
    const { before, after, answers = row.id, devices: moved } = await work(transaction, row)
    await change.done(transaction, { id: row.id, name: title, customerId: onlyCustomerOf(row), before, after })
    return [
      await readDetails(transaction, scope, answers, clock.now()),
      moved ?? (await readDeviceIds(transaction, row.id)),
    ] as const
  })
  live.noteAlerts(devices)
  return answer
}

/** @throws CallError `incident_not_whole` for an incident that reaches beyond the caller's customer */
async function requireWhole(transaction: Tx, scope: Scope, id: IncidentId, now: Date): Promise<IncidentRow> {
  const row = await foundRow(findIncident(transaction, scope, id))
  if (!toIncident(row, scope, now).isWhole) throw new CallError('incident_not_whole')
  return row
}

const onlyCustomerOf = (row: IncidentRow) => (row.customer_count === 1 ? row.customer_id : null)

export const acknowledge = (
  deps: IncidentDeps,
  { id, ownerId: asked, note }: ReadBodyOf<typeof acknowledgeIncident>,
  { caller, change }: { readonly caller: Pick<Caller, 'userId' | 'username' | 'customerId'>; change: ChangeRecord },
  check?: Precondition,
): Promise<IncidentDetails> =>
  changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    await check?.(transaction, row)
    const ownerId = asked ?? caller.userId
    const isOther = ownerId !== caller.userId
    const owner = isOther ? await findOwnerName(transaction, scopeOf(caller), ownerId, onlyCustomerOf(row)) : ''
    if (owner === undefined) throw notFound()
    await writeOwner(transaction, row.id, caller, { ownerId, note })
    const text = [...(isOther ? [`For ${owner}.`] : []), ...(note ? [note] : [])].join(' ')
    await noteAction(transaction, row.id, caller, { kind: 'acknowledged', text })
    return { before: { ownerId: row.owner_id }, after: { ownerId, note } }
  })

interface ChannelActing {
  readonly id: IncidentId
  readonly channel: { readonly id: number; readonly name: string; readonly customerId: CustomerId | null }
  readonly text: string
}

/** Acknowledges in the name of a channel's other system, so no user owns the incident. */
export const acknowledgeAsChannel = (
  deps: IncidentDeps,
  { id, channel, text }: ChannelActing,
  change: ChangeRecord,
  check: Precondition,
): Promise<IncidentDetails> => {
  const { customerId } = channel
  const caller = customerId === null ? {} : { customerId }
  return changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    await check(transaction, row)
    const author = { userId: null, channelId: channel.id, username: channel.name }
    // Customers read the histories of their alerts, and must not learn the name of a staff channel.
    const shown = customerId === null ? { ...author, username: 'Staff' } : author
    await writeOwner(transaction, row.id, shown, { ownerId: null, note: '' })
    await noteAction(transaction, row.id, author, { kind: 'acknowledged', text })
    return { before: { ownerId: row.owner_id }, after: { channelId: channel.id } }
  })
}

export const note = (
  deps: IncidentDeps,
  { id, note: text }: ReadBodyOf<typeof noteIncident>,
  caller: Caller,
  change: ChangeRecord,
): Promise<IncidentDetails> =>
  changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    await noteAction(transaction, row.id, caller, { kind: 'noted', text })
    return { before: {}, after: { note: text } }
  })

export const snooze = (
  deps: IncidentDeps,
  { id, until }: ReadBodyOf<typeof snoozeIncident>,
  caller: Caller,
  change: ChangeRecord,
): Promise<IncidentDetails> =>
  changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    const at = until === null ? null : new Date(until)
    const nowMs = deps.clock.now().getTime()
    if (at && at.getTime() <= nowMs)
      throw new CallError('invalid_request', 'The field "until" must be a moment that is still to come.')
    if (at && at.getTime() > nowMs + MOST_SNOOZE_DAYS * DAY_MS)
      throw new CallError('invalid_request', `The field "until" must be at most ${MOST_SNOOZE_DAYS} days ahead.`)
    await writeSnooze(transaction, row.id, at)
    const text = at?.toISOString() ?? ''
    await noteAction(transaction, row.id, caller, { kind: at ? 'snoozed' : 'woken', text })
    const before = { snoozedUntil: row.snoozed_until?.toISOString() ?? null }
    return { before, after: { snoozedUntil: at?.toISOString() ?? null } }
  })

export const merge = (
  deps: IncidentDeps,
  { id, otherIds }: ReadBodyOf<typeof mergeIncidents>,
  caller: Caller,
  change: ChangeRecord,
): Promise<IncidentDetails> =>
  changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    const scope = scopeOf(caller)
    const now = deps.clock.now()
    const others: IncidentRow[] = []
    for (const otherId of new Set(otherIds)) others.push(await requireWhole(transaction, scope, otherId, now))
    const ids = [...new Set([row.id, ...others.map((other) => other.id)])]
    if (ids.length === 1)
      throw new CallError('invalid_request', 'The field "otherIds" must name incidents other than this one.')
    const text = others.map((other) => toIncident(other, scope, now).title).join('; ')
    const devices = await mergeParts(transaction, ids)
    const stays = ids.reduce((one, other) => (other < one ? other : one))
    await noteAction(transaction, stays, caller, { kind: 'merged', text })
    return { before: { ids }, after: { id: stays }, answers: stays, devices }
  })

export const split = (
  deps: IncidentDeps,
  { id, alertIds }: ReadBodyOf<typeof splitIncident>,
  caller: Caller,
  change: ChangeRecord,
): Promise<IncidentDetails> =>
  changeIncident(deps, id, { caller, change }, async (transaction, row) => {
    const chosen = new Set(alertIds)
    const all = await readAlertIds(transaction, row.id)
    if (chosen.difference(all).size > 0) throw notFound()
    if (chosen.size === all.size)
      throw new CallError('invalid_request', 'The field "alertIds" must leave an alert in the incident.')
    const devices = await splitParts(transaction, row.id, chosen)
    const [first] = alertIds
    const newId = first && (await incidentOf(transaction, first))
    if (!newId) throw notFound()
    const text = chosen.size === 1 ? '1 alert' : `${chosen.size} alerts`
    await noteAction(transaction, row.id, caller, { kind: 'split', text: `${text} out of it` })
    await noteAction(transaction, newId, caller, { kind: 'split', text: `${text} from another` })
    return { before: { id: row.id }, after: { id: newId, alertIds: [...chosen] }, answers: newId, devices }
  })
