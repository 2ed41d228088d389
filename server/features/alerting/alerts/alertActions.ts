import type { ReadBodyOf } from '#contract/call/call.ts'
import { ERRORS } from '#contract/errors.ts'
import type { AlertDetails, acknowledgeAlert, closeAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_RESOLUTIONS, ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { closeLocked, type LockedAlert, lockAlerts } from '#server/telemetry/alerts/closing.ts'
import { canOwn, type KnownAlert, lockAlert, readKnown, writeAcknowledged } from './alertActions.store.ts'
import { findAlertDetails } from './alertDetails.store.ts'

type AlertDeps = Pick<Given, 'db' | 'live'>

const MOST_NAMED = 5

/** Closes all of the alerts or none; when somebody else has closed one, the refusal names it. */
export async function close(
  { db, live }: AlertDeps,
  { idList, resolutionId, comment = '' }: ReadBodyOf<typeof closeAlerts>,
  caller: Caller,
  change: ChangeRecord,
) {
  const ids = [...new Set(idList)]
  change.about(ids.length === 1 && ids[0] !== undefined ? { id: ids[0] } : { name: `${ids.length} alerts` })
  const resolution = ALERT_RESOLUTIONS.find(({ id, isSystem }) => id === resolutionId && !isSystem)
  if (resolution === undefined) throw new CallError('invalid_request', notValid('resolutionId'))
  const { userId, username } = caller
  const text = comment === '' ? resolution.name : `${resolution.name}: ${comment}`
  const devices = await db.transaction().execute(async (transaction) => {
    const known = await readKnown(transaction, scopeOf(caller), ids)
    if (known.length < ids.length) throw notFound()
    change.about(nameOf(known))
    const locked = await lockAlerts(transaction, ids)
    if (locked.some(({ isWithdrawn }) => isWithdrawn)) throw notFound()
    requireOpened(locked)
    await closeLocked(transaction, locked, { resolutionId, comment, text, by: { userId, username } })
    await change.done(transaction, {
      ...nameOf(known),
      customerId: onlyCustomerOf(known),
      before: { ids, statusId: ALERT_STATUS.opened },
      after: { ids, statusId: ALERT_STATUS.closed, resolutionId, comment },
    })
    return new Set(locked.map(({ deviceId }) => deviceId))
  })
  live.noteAlerts(devices)
  return { closedCount: ids.length }
}

export async function acknowledge(
  { db, live }: AlertDeps,
  { id, ownerId: asked, note }: ReadBodyOf<typeof acknowledgeAlert>,
  caller: Caller,
  change: ChangeRecord,
): Promise<AlertDetails> {
  change.about({ id })
  const scope = scopeOf(caller)
  const ownerId = asked ?? caller.userId
  const answer = await db.transaction().execute(async (transaction) => {
    const found = await foundRow(lockAlert(transaction, scope, id))
    const { conditionText: name, customerId } = found
    change.about({ name })
    if (found.statusId === ALERT_STATUS.closed) throw new CallError('alert_already_closed')
    // Callers may always own the alert themselves, because they were permitted to make this call.
    const isOther = ownerId !== caller.userId
    if (isOther && !(await canOwn(transaction, scope, ownerId, customerId))) throw notFound()
    await writeAcknowledged(transaction, found, caller, { ownerId, note })
    const before = { ownerId: found.ownerId, note: found.note }
    await change.done(transaction, { id, name, customerId, before, after: { ownerId, note } })
    return foundRow(findAlertDetails(transaction, scope, id))
  })
  live.noteAlerts(new Set([answer.deviceId]))
  return answer
}

function requireOpened(alerts: readonly LockedAlert[]): void {
  const closed = alerts.filter(({ statusId }) => statusId === ALERT_STATUS.closed).map(({ id }) => id)
  if (closed.length === 0) return
  const named = closed.slice(0, MOST_NAMED).join(', ')
  const more = closed.length > MOST_NAMED ? ` and ${closed.length - MOST_NAMED} more` : ''
  throw new CallError('alert_already_closed', `${ERRORS.alert_already_closed.message} (${named}${more})`)
}

function nameOf(alerts: readonly KnownAlert[]) {
  const [first, second] = alerts
  return first !== undefined && second === undefined
    ? { id: first.id, name: first.conditionText }
    : { name: `${alerts.length} alerts` }
}

/** When alerts belong to several customers, only staff may see the audit row. */
function onlyCustomerOf(alerts: readonly KnownAlert[]) {
  const customers = new Set(alerts.map(({ customerId }) => customerId))
  return customers.size === 1 ? (alerts[0]?.customerId ?? null) : null
}
