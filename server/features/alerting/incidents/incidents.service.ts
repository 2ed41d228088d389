import type { AnswerOf, ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import {
  acknowledgeIncident,
  type IncidentDetails,
  type listIncidentAlerts,
  type listIncidents,
  MOST_INCIDENT_ENTRIES,
  MOST_SNOOZE_DAYS,
  type mergeIncidents,
  type noteIncident,
  type snoozeIncident,
  type splitIncident,
} from '#contract/http/alerting/incidents.ts'
import type { CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { askedPage, exactTotal } from '#server/http/reading/pages.ts'
import * as deeds from './incidentActions.store.ts'
import { type IncidentRow, toIncident } from './incidentRows.store.ts'
import type { IncidentStore } from './incidents.store.ts'

export interface IncidentsDeps {
  readonly store: IncidentStore
  readonly visibleDevices: VisibleDevices
  readonly now: () => Date
  /** Is called after the commit, to inform everybody who watches these devices. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
  /** Is called when a snooze ends, so that notifications go out now. */
  readonly onWoken: () => void
}

export type Incidents = ReturnType<typeof createIncidents>

const PAGE_SIZE = 50
const noKeys = (): never => {
  throw new CallError('invalid_request', notValid('next'))
}

/** Reads and changes incidents, which group alerts of one cause (docs/decisions/0197). */
export function createIncidents({ store, visibleDevices, now, onAlerts, onWoken }: IncidentsDeps) {
  async function found(scope: Scope, id: IncidentId, transaction?: Tx): Promise<IncidentRow> {
    const row = await store.find(scope, id, transaction)
    if (row === undefined) throw notFound()
    return row
  }

  async function detailsOf(scope: Scope, askedId: IncidentId, transaction?: Tx): Promise<IncidentDetails> {
    const row = await found(scope, askedId, transaction)
    const shown = toIncident(row, scope, now())
    const { entries, older } = await store.alertEntries(scope, row, transaction)
    // Actions may mention devices that the reader must not know of, so they are left out unless the reader sees the
    // whole incident.
    const done = shown.isWhole ? await store.deeds(scope, row.id, transaction) : []
    const all = [...entries, ...done].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    return {
      ...shown,
      entries: all.slice(-MOST_INCIDENT_ENTRIES),
      olderEntries: older + Math.max(0, all.length - MOST_INCIDENT_ENTRIES),
      wasJoined: row.id !== askedId,
      mayChange: shown.isWhole,
    }
  }

  /** Makes one change of an incident that the caller sees whole, while nothing is folded. */
  async function changing(
    id: IncidentId,
    { caller, change }: { readonly caller: Pick<Caller, 'customerId'>; readonly change: ChangeRecord },
    work: (transaction: Tx, row: IncidentRow) => Promise<Changed>,
  ): Promise<IncidentDetails> {
    change.about({ id })
    const scope = scopeOf(caller)
    const [answer, devices] = await store.transaction(async (transaction) => {
      await deeds.lockIncidents(transaction)
      const row = await own(transaction, scope, id)
      const { title } = toIncident(row, scope, now())
      change.about({ id: row.id, name: title })
      const { before, after, answers = row.id, devices: moved } = await work(transaction, row)
      const customerId = row.customer_count === 1 ? row.customer_id : null
      await change.done(transaction, { id: row.id, name: title, customerId, before, after })
      return [
        await detailsOf(scope, answers, transaction),
        moved ?? (await deeds.deviceIdsOf(transaction, row.id)),
      ] as const
    })
    onAlerts(devices)
    return answer
  }

  /** @throws CallError `incident_not_whole` for an incident that reaches beyond the caller's customer */
  async function own(transaction: Tx, scope: Scope, id: IncidentId): Promise<IncidentRow> {
    const row = await found(scope, id, transaction)
    if (!toIncident(row, scope, now()).isWhole) throw new CallError('incident_not_whole')
    return row
  }

  return {
    list: async (query: ReadQueryOf<typeof listIncidents>, caller: Caller): Promise<AnswerOf<typeof listIncidents>> => {
      const page = askedPage(query, PAGE_SIZE, noKeys)
      const scope = scopeOf(caller)
      const { deviceId, customerId } = query
      if (deviceId !== undefined) await visibleDevices.require(scope, [deviceId])
      if (customerId !== undefined && customerId !== -1 && !(await store.customerExists(scope, customerId)))
        throw notFound()
      const [rows, count] = await Promise.all([store.list(scope, query, page), store.count(scope, query)])
      return {
        rows: rows.map((row) => toIncident(row, scope, now())),
        total: exactTotal(count.rows),
        alertCount: count.alerts,
      }
    },

    details: async (id: IncidentId, caller: Caller): Promise<IncidentDetails> => {
      const found = await detailsOf(scopeOf(caller), id)
      return { ...found, mayChange: found.mayChange && isAllowed(acknowledgeIncident.permission, caller) }
    },

    notices: async (id: IncidentId, caller: Caller) => {
      const scope = scopeOf(caller)
      const row = await found(scope, id)
      return store.notices(scope, row.id)
    },

    alerts: async (
      { id, ...paging }: ReadQueryOf<typeof listIncidentAlerts>,
      caller: Caller,
    ): Promise<AnswerOf<typeof listIncidentAlerts>> => {
      const page = askedPage(paging, PAGE_SIZE, noKeys)
      const scope = scopeOf(caller)
      const row = await found(scope, id)
      return { rows: await store.alerts(scope, row, page), total: row.alert_count }
    },

    /** @param take throws when a precondition fails in the transaction */
    acknowledge: (
      { id, ownerId: asked, note }: ReadBodyOf<typeof acknowledgeIncident>,
      caller: Pick<Caller, 'userId' | 'username' | 'customerId'>,
      change: ChangeRecord,
      take?: (transaction: Tx, row: IncidentRow) => Promise<void>,
    ) =>
      changing(id, { caller, change }, async (transaction, row) => {
        await take?.(transaction, row)
        const ownerId = asked ?? caller.userId
        const customerId = row.customer_count === 1 ? row.customer_id : null
        const isOther = ownerId !== caller.userId
        const owner = isOther ? await deeds.canHave(transaction, scopeOf(caller), ownerId, customerId) : ''
        if (owner === undefined) throw notFound()
        await deeds.acknowledge(transaction, row.id, caller, { ownerId, note })
        const text = [...(isOther ? [`For ${owner}.`] : []), ...(note ? [note] : [])].join(' ')
        await deeds.noteAction(transaction, row.id, caller, { kind: 'acknowledged', text })
        return { before: { ownerId: row.owner_id }, after: { ownerId, note } }
      }),

    /**
     * Acknowledges in the name of a channel's other system, so no user owns the incident.
     * @param take throws as in `acknowledge`
     */
    acknowledgeAs: (
      { id, channel, text }: { readonly id: IncidentId; readonly channel: Speaker; readonly text: string },
      change: ChangeRecord,
      take: (transaction: Tx, row: IncidentRow) => Promise<void>,
    ) =>
      changing(id, { caller: scopedAs(channel), change }, async (transaction, row) => {
        await take(transaction, row)
        const author = { userId: null, channelId: channel.id, username: channel.name }
        // Customers read the histories of their alerts, and must not learn the name of a staff channel.
        const shown = channel.customerId === null ? { ...author, username: 'Staff' } : author
        await deeds.acknowledge(transaction, row.id, shown, { ownerId: null, note: '' })
        await deeds.noteAction(transaction, row.id, author, { kind: 'acknowledged', text })
        return { before: { ownerId: row.owner_id }, after: { channelId: channel.id } }
      }),

    note: ({ id, note }: ReadBodyOf<typeof noteIncident>, caller: Caller, change: ChangeRecord) =>
      changing(id, { caller, change }, async (transaction, row) => {
        await deeds.noteAction(transaction, row.id, caller, { kind: 'noted', text: note })
        return { before: {}, after: { note } }
      }),

    snooze: async ({ id, until }: ReadBodyOf<typeof snoozeIncident>, caller: Caller, change: ChangeRecord) => {
      const at = until === null ? null : new Date(until)
      const answer = await changing(id, { caller, change }, async (transaction, row) => {
        const nowMs = now().getTime()
        if (at && at.getTime() <= nowMs)
          throw new CallError('invalid_request', 'The field "until" must be a moment that is still to come.')
        if (at && at.getTime() > nowMs + MOST_SNOOZE_DAYS * DAY_MS)
          throw new CallError('invalid_request', `The field "until" must be at most ${MOST_SNOOZE_DAYS} days ahead.`)
        await deeds.snooze(transaction, row.id, at)
        await deeds.noteAction(transaction, row.id, caller, {
          kind: at ? 'snoozed' : 'woken',
          text: at ? at.toISOString() : '',
        })
        const before = { snoozedUntil: row.snoozed_until?.toISOString() ?? null }
        return { before, after: { snoozedUntil: at?.toISOString() ?? null } }
      })
      onWoken()
      return answer
    },

    merge: ({ id, otherIds }: ReadBodyOf<typeof mergeIncidents>, caller: Caller, change: ChangeRecord) =>
      changing(id, { caller, change }, async (transaction, row) => {
        const others: IncidentRow[] = []
        for (const otherId of new Set(otherIds)) others.push(await own(transaction, scopeOf(caller), otherId))
        const ids = [...new Set([row.id, ...others.map((other) => other.id)])]
        if (ids.length === 1)
          throw new CallError('invalid_request', 'The field "otherIds" must name incidents other than this one.')
        const text = others.map((other) => toIncident(other, scopeOf(caller), now()).title).join('; ')
        const devices = await deeds.merge(transaction, ids)
        const stays = ids.reduce((one, other) => (other < one ? other : one))
        await deeds.noteAction(transaction, stays, caller, { kind: 'merged', text })
        return { before: { ids }, after: { id: stays }, answers: stays, devices }
      }),

    split: ({ id, alertIds }: ReadBodyOf<typeof splitIncident>, caller: Caller, change: ChangeRecord) =>
      changing(id, { caller, change }, async (transaction, row) => {
        const chosen = new Set(alertIds)
        const all = await deeds.alertsOf(transaction, row.id)
        if (chosen.difference(all).size > 0) throw notFound()
        if (chosen.size === all.size)
          throw new CallError('invalid_request', 'The field "alertIds" must leave an alert in the incident.')
        const devices = await deeds.split(transaction, row.id, chosen)
        const [first] = alertIds
        const newId = first && (await deeds.incidentOf(transaction, first))
        if (!newId) throw notFound()
        const text = chosen.size === 1 ? '1 alert' : `${chosen.size} alerts`
        await deeds.noteAction(transaction, row.id, caller, { kind: 'split', text: `${text} out of it` })
        await deeds.noteAction(transaction, newId, caller, { kind: 'split', text: `${text} from another` })
        return { before: { id: row.id }, after: { id: newId, alertIds: [...chosen] }, answers: newId, devices }
      }),
  }
}

interface Speaker {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
}

const scopedAs = ({ customerId }: Speaker) => (customerId === null ? {} : { customerId })

interface Changed {
  readonly before: object
  readonly after: object
  /** The incident that the call answers, when it is not the requested one. */
  readonly answers?: IncidentId
  /** The devices whose alerts have moved; without them all devices of the incident are meant. */
  readonly devices?: ReadonlySet<DeviceId>
}
