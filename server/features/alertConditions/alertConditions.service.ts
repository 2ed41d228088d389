import type { AlertCondition } from '#contract/http/alertConditions.ts'
import { ALERT_RESOLUTIONS, CONDITION_REMOVED_RESOLUTION_ID, nameOf } from '#domain/alerts/alertWords.ts'
import { DEVICE_MODELS, deviceModelName } from '#domain/devices/models.ts'
import type { AlertId, CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { Closing, LockedAlert } from '#server/telemetry/alerts/closing.ts'
import type { AlertConditionStore, ConditionPlace, ConditionWords, StoredCondition } from './alertConditions.store.ts'
import { type AskedCondition, readWords, textOf, toCondition } from './conditionWords.ts'

export interface AlertConditionNeeds {
  readonly store: AlertConditionStore
  readonly openAlertIds: (transaction: Tx, conditionId: number) => Promise<readonly AlertId[]>
  readonly lockAlerts: (transaction: Tx, ids: readonly AlertId[]) => Promise<readonly LockedAlert[]>
  readonly closeLocked: (transaction: Tx, alerts: readonly LockedAlert[], closing: Closing) => Promise<void>
  /** After the commit: whoever watches these devices is to hear of it. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
}

export type AlertConditions = ReturnType<typeof createAlertConditions>

const REMOVED: Closing = {
  resolutionId: CONDITION_REMOVED_RESOLUTION_ID,
  comment: '',
  text: nameOf(ALERT_RESOLUTIONS, CONDITION_REMOVED_RESOLUTION_ID),
}

export function createAlertConditions(needs: AlertConditionNeeds) {
  const { store, openAlertIds, lockAlerts, closeLocked, onAlerts } = needs

  /** Of a condition that was locked first, so that no alert of it opens meanwhile. */
  async function closeAlertsOf(conditionId: number, transaction: Tx): Promise<ReadonlySet<DeviceId>> {
    const alerts = await lockAlerts(transaction, await openAlertIds(transaction, conditionId))
    if (alerts.length > 0) await closeLocked(transaction, alerts, REMOVED)
    await store.forgetStates(conditionId, transaction)
    return new Set(alerts.map(({ deviceId }) => deviceId))
  }

  async function locked(id: number, caller: Caller, transaction: Tx): Promise<StoredCondition> {
    const found = await store.lock(id, scopeOf(caller), transaction)
    if (found === undefined) throw notFound()
    if (found.modelId !== null) requireStaff(caller)
    return found
  }

  async function add(asked: AskedCondition, words: ConditionWords, caller: Caller, change: ChangeRecord) {
    return store.transaction(async (transaction) => {
      const { place, placeName, customerId } = await placeOf(store, asked, caller, transaction)
      const id = await store.insert(words, place, caller.userId, transaction)
      await change.done(transaction, {
        id,
        name: namedOf(words, placeName),
        customerId,
        isNew: true,
        after: { ...words, ...place },
      })
      return { id, ...words, ...place }
    })
  }

  async function edit(asked: AskedCondition, words: ConditionWords, caller: Caller, change: ChangeRecord) {
    change.about({ id: asked.id })
    let devices: ReadonlySet<DeviceId> = new Set()
    const edited = await store.transaction(async (transaction) => {
      const { id, deviceId, modelId, ...before } = await locked(asked.id, caller, transaction)
      // An alert that it opened would be left on a device that it no longer watches.
      if (asked.deviceId != null && asked.deviceId !== deviceId) throw refused(notValid('deviceId'))
      if (asked.modelId != null && asked.modelId !== modelId) throw refused(notValid('modelId'))
      const { customerId, placeName } = await whoseOf({ deviceId, modelId }, scopeOf(caller), transaction)
      await store.update(id, words, caller.userId, transaction)
      // An alert about another field is about something else.
      if (words.fieldId !== before.fieldId) devices = await closeAlertsOf(id, transaction)
      await change.done(transaction, {
        id,
        name: namedOf(words, placeName),
        customerId,
        before,
        after: words,
      })
      return { id, deviceId, modelId, ...words }
    })
    onAlerts(devices)
    return edited
  }

  async function whoseOf(
    { deviceId, modelId }: Pick<StoredCondition, 'deviceId' | 'modelId'>,
    scope: Scope,
    transaction: Tx,
  ) {
    if (deviceId === null) return { customerId: null, placeName: modelId === null ? '' : deviceModelName(modelId) }
    const device = await store.findDevice(deviceId, scope, transaction)
    return { customerId: device?.customerId ?? null, placeName: device?.name ?? '' }
  }

  return {
    list: async (
      {
        deviceId,
        modelId,
        fieldGroupId,
      }: {
        readonly deviceId?: DeviceId | undefined
        readonly modelId?: DeviceModelId | undefined
        readonly fieldGroupId?: number | undefined
      },
      caller: Caller,
    ): Promise<AlertCondition[]> => {
      const scope = scopeOf(caller)
      if (deviceId !== undefined && !(await store.findDevice(deviceId, scope))) throw notFound()
      const stored = await store.list(scope, {
        ...(deviceId === undefined ? {} : { deviceId }),
        ...(modelId === undefined ? {} : { modelId }),
      })
      return stored
        .flatMap((condition) => toCondition(condition) ?? [])
        .filter((condition) => fieldGroupId === undefined || condition.fieldGroupId === fieldGroupId)
    },

    set: async (asked: AskedCondition, caller: Caller, change: ChangeRecord): Promise<AlertCondition> => {
      const words = readWords(asked)
      change.about({ name: textOf(words) })
      const stored = await (asked.id > 0 ? edit : add)(asked, words, caller, change)
      const condition = toCondition(stored)
      if (condition === undefined) throw new Error('A condition that was just stored is not known.')
      return condition
    },

    remove: async (id: number, caller: Caller, change: ChangeRecord): Promise<true> => {
      change.about({ id })
      const devices = await store.transaction(async (transaction) => {
        const { deviceId, modelId, ...before } = await locked(id, caller, transaction)
        const { customerId, placeName } = await whoseOf({ deviceId, modelId }, scopeOf(caller), transaction)
        await store.delete(id, caller.userId, transaction)
        const affected = await closeAlertsOf(id, transaction)
        const thing = { id, name: namedOf(before, placeName), customerId, before: { ...before, deviceId, modelId } }
        await change.done(transaction, { ...thing, after: { closedAlertsOnDevices: affected.size } })
        return affected
      })
      onAlerts(devices)
      return true
    },
  }
}

/** As the audit log names a condition: its words, and what it watches. */
const namedOf = (words: ConditionWords, placeName: string) => [textOf(words), placeName].filter(Boolean).join(' · ')

/** Where a new condition, or one that is only tried, belongs: to a device within the scope, or to a model. */
export async function placeOf(
  store: Pick<AlertConditionStore, 'findDevice'>,
  { deviceId, modelId }: Pick<AskedCondition, 'deviceId' | 'modelId'>,
  caller: Caller,
  transaction?: Tx,
): Promise<{ readonly place: ConditionPlace; readonly placeName: string; readonly customerId: CustomerId | null }> {
  if (deviceId != null && modelId != null) throw refused(notValid('modelId'))
  if (modelId != null) {
    requireStaff(caller)
    if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw refused(notValid('modelId'))
    return { place: { deviceId: null, modelId }, placeName: deviceModelName(modelId), customerId: null }
  }
  if (deviceId == null) throw refused(required('deviceId'))
  const device = await store.findDevice(deviceId, scopeOf(caller), transaction)
  if (device === undefined) throw notFound()
  return { place: { deviceId, modelId: null }, placeName: device.name, customerId: device.customerId }
}

/** A model's condition watches the devices of all customers (decisions: Scope). */
function requireStaff(caller: Caller): void {
  if (caller.customerId !== undefined) throw new CallError('forbidden')
}

const refused = (sentence: string) => new CallError('invalid_request', sentence)
