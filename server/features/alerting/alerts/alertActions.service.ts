import type { ReadBodyOf } from '#contract/call/call.ts'
import { ERRORS } from '#contract/errors.ts'
import type { AlertDetails, acknowledgeAlert, closeAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_RESOLUTIONS, ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { Closing, LockedAlert } from '#server/telemetry/alerts/closing.ts'
import type { AlertActionStore, KnownAlert } from './alertActions.store.ts'

export interface AlertActionDeps {
  readonly store: AlertActionStore
  readonly lockAlerts: (transaction: Tx, ids: readonly AlertId[]) => Promise<readonly LockedAlert[]>
  readonly closeLocked: (transaction: Tx, alerts: readonly LockedAlert[], closing: Closing) => Promise<void>
  readonly details: (scope: Scope, id: AlertId, transaction: Tx) => Promise<AlertDetails | undefined>
  /** Is called after the commit, to inform everybody who watches these devices. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
}

export type AlertActions = ReturnType<typeof createAlertActions>

const MOST_NAMED = 5

export function createAlertActions({ store, lockAlerts, closeLocked, details, onAlerts }: AlertActionDeps) {
  return {
    /** Closes all of the alerts or none; when somebody else has closed one, the refusal names it. */
    close: async (
      { idList, resolutionId, comment = '' }: ReadBodyOf<typeof closeAlerts>,
      caller: Caller,
      change: ChangeRecord,
    ) => {
      const ids = [...new Set(idList)]
      change.about(ids.length === 1 && ids[0] !== undefined ? { id: ids[0] } : { name: `${ids.length} alerts` })
      const resolution = ALERT_RESOLUTIONS.find(({ id, isSystem }) => id === resolutionId && !isSystem)
      if (resolution === undefined) throw new CallError('invalid_request', notValid('resolutionId'))
      const { userId, username } = caller
      const text = comment === '' ? resolution.name : `${resolution.name}: ${comment}`
      const devices = await store.transaction(async (transaction) => {
        const known = await store.known(scopeOf(caller), ids, transaction)
        if (known.length < ids.length) throw notFound()
        change.about(nameOf(known))
        const locked = await lockAlerts(transaction, ids)
        if (locked.some(({ isWithdrawn }) => isWithdrawn)) throw notFound()
        requireOpened(locked)
        await closeLocked(transaction, locked, { resolutionId, comment, text, by: { userId, username } })
        await change.done(transaction, {
          ...nameOf(known),
          customerId: customerOf(known),
          before: { ids, statusId: ALERT_STATUS.opened },
          after: { ids, statusId: ALERT_STATUS.closed, resolutionId, comment },
        })
        return new Set(locked.map(({ deviceId }) => deviceId))
      })
      onAlerts(devices)
      return { closedCount: ids.length }
    },

    acknowledge: async (
      { id, ownerId: asked, note }: ReadBodyOf<typeof acknowledgeAlert>,
      caller: Caller,
      change: ChangeRecord,
    ): Promise<AlertDetails> => {
      change.about({ id })
      const scope = scopeOf(caller)
      const ownerId = asked ?? caller.userId
      const answer = await store.transaction(async (transaction) => {
        const found = await store.lock(scope, id, transaction)
        if (found === undefined) throw notFound()
        change.about({ name: found.conditionText })
        if (found.statusId === ALERT_STATUS.closed) throw new CallError('alert_already_closed')
        // Callers may always own the alert themselves, because they were permitted to make this call.
        const isOther = ownerId !== caller.userId
        if (isOther && !(await store.canOwn(scope, ownerId, found.customerId, transaction))) throw notFound()
        await store.acknowledge(found, caller, { ownerId, note }, transaction)
        await change.done(transaction, {
          id,
          name: found.conditionText,
          customerId: found.customerId,
          before: { ownerId: found.ownerId, note: found.note },
          after: { ownerId, note },
        })
        return details(scope, id, transaction)
      })
      if (answer === undefined) throw notFound()
      onAlerts(new Set([answer.deviceId]))
      return answer
    },
  }
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
function customerOf(alerts: readonly KnownAlert[]) {
  const customers = new Set(alerts.map(({ customerId }) => customerId))
  return customers.size === 1 ? (alerts[0]?.customerId ?? null) : null
}
