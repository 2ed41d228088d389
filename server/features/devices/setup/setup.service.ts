import { z } from 'zod'
import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'
import { notAnsweredWithin } from '#contract/errors.ts'
import type {
  compareDeviceSettings,
  DeviceSettingsView,
  listSettingChanges,
  SettingSection,
  TurnOffTimes,
} from '#contract/http/devices/setup.ts'
import { COMMANDS } from '#contract/mqtt/command.ts'
import { fittedNumbers } from '#domain/components/fittedParts.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { acceptCommand, type CommandRow, noteSettings } from '#server/gateway/commands/commandRows.ts'
import { wordsOf } from '#server/gateway/commands/settingRows.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { completeSettings, isAutomatic, presentDayPlan, presentOf, presentOffTimes } from './completeSettings.ts'
import type { KnownDevice, SettingRow } from './knownDevice.ts'
import { NEVER_OFF, type RequestedSection } from './requestedSections.ts'
import type { SettingChangesStore } from './settingChanges.store.ts'
import { type DeviceSettingsStore, positionOf, type SettledDevice } from './setup.store.ts'

const HOLIDAY_DAYS_SHOWN = 14
const CHANGES_SHOWN = 20
const changeKey = z.strictObject({ at: momentValue, id: z.number().int() })

export interface DeviceSettingsDeps {
  readonly store: DeviceSettingsStore
  readonly settingChanges: SettingChangesStore
  readonly answerSeconds: number
  /** Waits a limited time for the device's answer; undefined when the device was deleted meanwhile. */
  readonly outcome: (deviceId: DeviceId, commandId: string) => Promise<CommandRow | undefined>
  /** Makes the process that holds the device's connection send the settings again. */
  readonly settingsChanged: (deviceId: DeviceId) => Promise<void>
  /** Lists holidays where the device stands, from its yesterday on. */
  readonly holidays: (deviceId: DeviceId, daysAhead: number) => Promise<readonly { date: string; name: string }[]>
}

export interface Applied {
  /** The device's objections; empty when it has applied or will receive the settings. */
  readonly errors: string[]
  readonly isQueued: boolean
  /** The settings are kept and were sent, but the device has not answered yet. */
  readonly isUnanswered?: true
}

export interface DeviceSettingsService {
  readonly apply: (asked: RequestedSection, caller: Caller, change: ChangeRecord) => Promise<Applied>
  readonly turnOffTimes: (deviceId: DeviceId, caller: Caller) => Promise<TurnOffTimes>
  readonly view: (deviceId: DeviceId, caller: Caller) => Promise<DeviceSettingsView>
  readonly changes: (
    query: ReadQueryOf<typeof listSettingChanges>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof listSettingChanges>>
  readonly compare: (deviceIds: readonly DeviceId[], caller: Caller) => Promise<AnswerOf<typeof compareDeviceSettings>>
}

export function createDeviceSettings(deps: DeviceSettingsDeps): DeviceSettingsService {
  const { store, settingChanges, answerSeconds, outcome, settingsChanged, holidays } = deps
  const silent = `${notAnsweredWithin(answerSeconds)} The change is kept and waits for the device.`

  async function found(deviceId: DeviceId, caller: Caller): Promise<SettledDevice> {
    const [device] = await store.findDevices([deviceId], scopeOf(caller))
    if (!device) throw notFound()
    return device
  }

  /**
   * Keeps the desired settings together with the audit row.
   * @returns id of the command that carries them; undefined when they are queued
   */
  function keep(asked: RequestedSection, caller: Caller, change: ChangeRecord): Promise<string | undefined> {
    const { deviceId, section } = asked
    return store.transaction(async (transaction) => {
      const device = await lockDevice(transaction, deviceId, scopeOf(caller))
      if (!device) throw notFound()
      const { name, customerId } = device
      change.about({ name })
      if (device.statusId === DEVICE_STATUS.deactivated) throw new CallError('device_deactivated')
      const { userId, username } = caller
      // The settings are read under the lock, so that unnamed values are the present ones.
      const known = (await store.known([deviceId], scopeOf(caller), transaction)).get(deviceId) as KnownDevice
      const wish = completeSettings(asked, known)
      const { number, args } = wish
      const kept = await store.keepDesiredSettings(
        { ...wish, userId, username, isSent: device.isConnected },
        transaction,
      )
      await change.done(transaction, {
        customerId,
        before: { section, number, ...kept.before },
        after: { section, number, ...args },
      })
      if (!device.isConnected) {
        // The device may be connecting at this moment with the former settings.
        await noteSettings(transaction, deviceId)
        return undefined
      }
      const command = { deviceId, name: `${section}.apply`, args, settingsVersion: kept.version } as const
      return acceptCommand(transaction, { ...command, userId, username })
    })
  }

  return {
    apply: async (asked, caller, change) => {
      const { deviceId } = asked
      change.about({ id: deviceId })
      const commandId = await keep(asked, caller, change)
      change.stands()
      if (commandId === undefined) return { errors: [], isQueued: true }
      const row = await outcome(deviceId, commandId)
      if (row === undefined) throw notFound()
      if (row.state === 'done') return { errors: [], isQueued: false }
      if (row.state === 'refused') return { errors: wordsOf(row), isQueued: false }
      if (row.sent_at !== null) return { errors: [silent], isQueued: false, isUnanswered: true }
      // Nobody held the device's connection any more.
      if (row.settings_version !== null) await store.queueSettings(deviceId, row.settings_version)
      await settingsChanged(deviceId)
      return { errors: [], isQueued: true }
    },

    turnOffTimes: async (deviceId, caller) => {
      await found(deviceId, caller)
      const wanted = (await store.settings([deviceId], scopeOf(caller))).find(
        ({ section }) => section === 'turnOff',
      )?.desired
      return COMMANDS['turnOff.apply'].parse(wanted ?? NEVER_OFF)
    },

    view: async (deviceId, caller) => {
      const device = await found(deviceId, caller)
      const [known, coming] = await Promise.all([
        store.known([deviceId], scopeOf(caller)),
        holidays(deviceId, HOLIDAY_DAYS_SHOWN),
      ])
      const { rows, knowsDayPlans, knowsBatteryTests, knowsDataBudgets } = known.get(deviceId) as KnownDevice
      return {
        deviceId,
        version: device.version,
        versionsUsedUpSince: device.versionsUsedUpSince?.toISOString() ?? null,
        timeZone: device.timeZone,
        position: positionOf(device) ?? null,
        knowsDayPlans: knowsDayPlans ?? null,
        knowsBatteryTests: knowsBatteryTests ?? null,
        knowsDataBudgets: knowsDataBudgets ?? null,
        isOnline: device.isOnline,
        sections: rows.map((row) => toSection(row, device)),
        holidays: [...coming],
      }
    },

    changes: async ({ deviceId, section, number, ...query }, caller) => {
      await found(deviceId, caller)
      const { rows, next } = await readPage(
        askedPage(query, CHANGES_SHOWN, (key) => readPageKey(key, changeKey)),
        (page) => settingChanges.page(scopeOf(caller), { deviceId, section, number }, page),
        ({ key }) => key,
      )
      return { rows: rows.map(({ change }) => change), next }
    },

    compare: async (deviceIds, caller) => {
      const asked = [...new Set(deviceIds)]
      const [devices, known] = await Promise.all([
        store.findDevices(asked, scopeOf(caller)),
        // Unknown and foreign devices are refused below, so nothing of theirs is shown.
        store.known(asked, scopeOf(caller)),
      ])
      if (devices.length < asked.length) throw notFound()
      return devices.map((device) => toCompared(device, known.get(device.id) as KnownDevice))
    },
  }
}

function toCompared(device: SettledDevice, known: KnownDevice): AnswerOf<typeof compareDeviceSettings>[number] {
  const displayNumbers = fittedNumbers(known, 'display')
  const present = (section: 'display' | 'ambientSensor', number: number) => ({
    section,
    number,
    values: { ...presentOf(known, section, number) },
  })
  return {
    deviceId: device.id,
    name: device.name,
    statusId: device.statusId,
    modelId: device.modelId,
    tags: device.tags,
    position: known.position ?? null,
    knowsDayPlans: known.knowsDayPlans ?? null,
    isOnline: device.isOnline,
    displayNumbers: [...displayNumbers],
    automaticDisplays: displayNumbers.filter((number) => isAutomatic(known, number)),
    present: [
      ...displayNumbers.map((number) => present('display', number)),
      ...fittedNumbers(known, 'ambientSensor').map((number) => present('ambientSensor', number)),
      { section: 'turnOff', number: 1, values: { ...presentOffTimes(known) } },
      { section: 'dayPlan', number: 1, values: { ...presentDayPlan(known) } },
    ],
    sections: known.rows.map((row) => toSection(row, device)),
  }
}

function toSection(row: SettingRow, device: SettledDevice): SettingSection {
  return {
    section: row.section,
    number: row.number,
    desired: row.desired,
    desiredAt: row.desiredAt?.toISOString() ?? null,
    desiredBy: row.desiredBy,
    reported: row.reported,
    reportedAt: row.reportedAt?.toISOString() ?? null,
    reason: reasonOf(row, device),
    refusal:
      row.refused && row.refusedAt
        ? { at: row.refusedAt.toISOString(), asked: row.refused, errors: [...(row.refusedErrors ?? [])] }
        : null,
  }
}

function reasonOf({ differs, refused }: SettingRow, { isOnline }: SettledDevice): SettingSection['reason'] {
  if (differs) return isOnline ? 'waiting' : 'offline'
  return refused ? 'refused' : null
}
