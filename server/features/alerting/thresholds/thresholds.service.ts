import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { conditionReach, WIDEST_REACH } from '#domain/alerts/conditionReach.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { AlertId, CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { Closing, LockedAlert } from '#server/telemetry/alerts/closing.ts'
import { CONDITION_REMOVED } from '#server/telemetry/alerts/refold/strayAlerts.ts'
import { type RequestedCondition, readConditionFields, textOf, toCondition } from './conditionLabels.ts'
import { placeNameOf, placeOf, requireMayEdit, whoseOf } from './conditionPlace.ts'
import type { AlertConditionStore, ConditionFields, ConditionPlace, StoredCondition } from './thresholds.store.ts'

export interface AlertConditionDeps {
  readonly store: AlertConditionStore
  readonly openAlertIds: (transaction: Tx, conditionId: number) => Promise<readonly AlertId[]>
  /** Finds the open alerts of devices on which the condition is not judged any more. */
  readonly strayAlertIds: (transaction: Tx, conditionId: number) => Promise<readonly AlertId[]>
  readonly forgetStrayStates: (transaction: Tx, conditionId: number) => Promise<void>
  readonly lockAlerts: (transaction: Tx, ids: readonly AlertId[]) => Promise<readonly LockedAlert[]>
  readonly closeLocked: (transaction: Tx, alerts: readonly LockedAlert[], closing: Closing) => Promise<void>
  /** Is called after the commit, to inform everybody who watches these devices. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
}

export type AlertConditions = ReturnType<typeof createAlertConditions>

export function createAlertConditions(deps: AlertConditionDeps) {
  const { store, openAlertIds, strayAlertIds, forgetStrayStates, lockAlerts, closeLocked, onAlerts } = deps

  /** Closes the alerts of a condition that is locked, so that none opens meanwhile. */
  async function closeAlertsOf(conditionId: number, transaction: Tx): Promise<ReadonlySet<DeviceId>> {
    const alerts = await lockAlerts(transaction, await openAlertIds(transaction, conditionId))
    if (alerts.length > 0) await closeLocked(transaction, alerts, CONDITION_REMOVED)
    await store.forgetStates(conditionId, transaction)
    return new Set(alerts.map(({ deviceId }) => deviceId))
  }

  /** Closes the alerts of a condition on the devices where a narrower one now replaces it. */
  async function closeReplaced(conditionId: number | null, transaction: Tx): Promise<ReadonlySet<DeviceId>> {
    if (conditionId === null) return new Set()
    const alerts = await lockAlerts(transaction, await strayAlertIds(transaction, conditionId))
    if (alerts.length > 0) await closeLocked(transaction, alerts, CONDITION_REMOVED)
    await forgetStrayStates(transaction, conditionId)
    return new Set(alerts.map(({ deviceId }) => deviceId))
  }

  async function locked(id: number, caller: Caller, transaction: Tx): Promise<StoredCondition> {
    const found = await store.lock(id, scopeOf(caller), transaction)
    if (found === undefined) throw notFound()
    requireMayEdit(found, caller)
    return found
  }

  /** Finds the overridden condition, which has to name more devices than the one that replaces it. */
  async function overridden(
    asked: RequestedCondition,
    place: ConditionPlace,
    caller: Caller,
    transaction: Tx,
  ): Promise<StoredCondition | null> {
    if (asked.overridesId == null) {
      if (asked.isOff) throw refused(notValid('isOff'))
      return null
    }
    const base = await store.lock(asked.overridesId, scopeOf(caller), transaction)
    if (base === undefined) throw notFound()
    if (base.overridesId !== null || conditionReach(place) >= conditionReach(base))
      throw refused(notValid('overridesId'))
    return base
  }

  async function nameOfBase(base: StoredCondition, caller: Caller, transaction: Tx): Promise<string> {
    return namedOf(base, (await whoseOf(store, base, scopeOf(caller), transaction)).placeName)
  }

  async function add(asked: RequestedCondition, words: ConditionFields, caller: Caller, change: ChangeRecord) {
    let devices: ReadonlySet<DeviceId> = new Set()
    const added = await store.transaction(async (transaction) => {
      const { place, placeName, customerId } = await placeOf(store, asked, caller, transaction)
      const base = await overridden(asked, place, caller, transaction)
      const overridesId = base?.id ?? null
      const id = await store.insert(words, { ...place, overridesId }, caller.userId, transaction)
      devices = await closeReplaced(overridesId, transaction)
      const { tagKey: _, ...said } = place
      await change.done(transaction, {
        id,
        name: namedOf(words, placeName),
        customerId,
        isNew: true,
        after: {
          ...words,
          ...said,
          ...(base === null ? {} : { overridesId: base.id, overrides: await nameOfBase(base, caller, transaction) }),
        },
      })
      return { condition: { id, ...words, ...place, overridesId }, placeName }
    })
    onAlerts(devices)
    return added
  }

  async function edit(asked: RequestedCondition, words: ConditionFields, caller: Caller, change: ChangeRecord) {
    change.about({ id: asked.id })
    let devices: ReadonlySet<DeviceId> = new Set()
    const edited = await store.transaction(async (transaction) => {
      const {
        id,
        deviceId,
        modelId,
        customerId: ofCustomer,
        tag,
        tagKey: key,
        overridesId,
        ...before
      } = await locked(asked.id, caller, transaction)
      const place = { deviceId, modelId, customerId: ofCustomer, tag, tagKey: key }
      // The place must stay: an open alert would be left on a device that the condition no longer watches.
      if (asked.deviceId != null && asked.deviceId !== deviceId) throw refused(notValid('deviceId'))
      if (asked.modelId != null && asked.modelId !== modelId) throw refused(notValid('modelId'))
      if (asked.customerId != null && asked.customerId !== ofCustomer) throw refused(notValid('customerId'))
      if (asked.tag != null && tagKey(asked.tag) !== key) throw refused(notValid('tag'))
      if (asked.allDevices && conditionReach(place) !== WIDEST_REACH) throw refused(notValid('allDevices'))
      if (asked.overridesId != null && asked.overridesId !== overridesId) throw refused(notValid('overridesId'))
      if (words.isOff && overridesId === null) throw refused(notValid('isOff'))
      const { customerId, placeName } = await whoseOf(store, place, scopeOf(caller), transaction)
      await store.update(id, words, caller.userId, transaction)
      // A condition of another field or kind is about something else, so its old alerts are closed.
      const isAnother = words.fieldId !== before.fieldId || words.kind !== before.kind || words.isOff !== before.isOff
      if (isAnother) devices = await closeAlertsOf(id, transaction)
      await change.done(transaction, { id, name: namedOf(words, placeName), customerId, before, after: words })
      return { condition: { id, ...place, overridesId, ...words }, placeName }
    })
    onAlerts(devices)
    return edited
  }

  return {
    list: async ({ fieldGroupId, tag, ...of }: RequestedList, caller: Caller): Promise<AlertCondition[]> => {
      const scope = scopeOf(caller)
      if (of.deviceId !== undefined && !(await store.findDevice(of.deviceId, scope))) throw notFound()
      const stored = await store.list(scope, { ...of, tagKey: tag === undefined ? undefined : tagKey(tag) })
      const countOf = await store.count(scope, stored)
      return stored
        .flatMap(
          ({ deviceName, customerName, ...condition }) =>
            toCondition(condition, placeNameOf({ deviceName, customerName, ...condition }), countOf(condition)) ?? [],
        )
        .filter((condition) => fieldGroupId === undefined || condition.fieldGroupId === fieldGroupId)
    },

    set: async (asked: RequestedCondition, caller: Caller, change: ChangeRecord): Promise<AlertCondition> => {
      const words = readConditionFields(asked)
      change.about({ name: textOf(words) })
      const { condition: stored, placeName } = await (asked.id > 0 ? edit : add)(asked, words, caller, change)
      const countOf = await store.count(scopeOf(caller), [stored])
      const condition = toCondition(stored, placeName, countOf(stored))
      if (condition === undefined) throw new Error('A condition that was just stored is not known.')
      return condition
    },

    remove: async (id: number, caller: Caller, change: ChangeRecord): Promise<true> => {
      change.about({ id })
      const devices = await store.transaction(async (transaction) => {
        const { id: _, tagKey: __, ...before } = await locked(id, caller, transaction)
        const { customerId, placeName } = await whoseOf(store, before, scopeOf(caller), transaction)
        const affected = new Set<DeviceId>()
        // Its overrides have nothing to replace any more, so they go with it.
        const removedOverrides = await store.overridesOf(id, transaction)
        for (const one of [...removedOverrides, id]) {
          await store.delete(one, caller.userId, transaction)
          for (const deviceId of await closeAlertsOf(one, transaction)) affected.add(deviceId)
        }
        const thing = { id, name: namedOf(before, placeName), customerId, before }
        await change.done(transaction, { ...thing, after: { closedAlertsOnDevices: affected.size, removedOverrides } })
        return affected
      })
      onAlerts(devices)
      return true
    },
  }
}

interface RequestedList {
  readonly deviceId?: DeviceId | undefined
  readonly modelId?: DeviceModelId | undefined
  readonly fieldGroupId?: number | undefined
  readonly customerId?: CustomerId | undefined
  readonly tag?: string | undefined
  readonly overridesId?: number | undefined
}

/** The audit log names a condition by its text and its place. */
const namedOf = (words: ConditionFields, placeName: string) => [textOf(words), placeName].filter(Boolean).join(' · ')

const refused = (sentence: string) => new CallError('invalid_request', sentence)
