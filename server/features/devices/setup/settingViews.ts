import { z } from 'zod'
import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'
import type {
  compareDeviceSettings,
  DeviceSettingsView,
  listSettingChanges,
  SettingSection,
} from '#contract/http/devices/setup.ts'
import { fittedNumbers } from '#domain/components/fittedParts.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { isAutomatic, presentDayPlan, presentOf, presentOffTimes } from './completeSettings.ts'
import type { KnownDevice, SettingRow } from './knownDevice.ts'
import { settingChangesPage } from './settingChanges.store.ts'
import {
  findSettledDevice,
  listSettledDevices,
  positionOf,
  readKnownDevices,
  type SettledDevice,
} from './setup.store.ts'

const HOLIDAY_DAYS_SHOWN = 14
const CHANGES_SHOWN = 20
const changeKey = z.strictObject({ at: momentValue, id: z.number().int() })

export async function viewSettings(
  { pool, db }: Pick<Given, 'pool' | 'db'>,
  deviceId: DeviceId,
  scope: Scope,
): Promise<DeviceSettingsView> {
  const device = await foundRow(findSettledDevice(db, deviceId, scope))
  const [known, holidays] = await Promise.all([
    readKnownDevices(db, [deviceId], scope),
    holidaysOfDevice(pool, deviceId, HOLIDAY_DAYS_SHOWN),
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
    holidays: [...holidays],
  }
}

export async function settingChanges(
  db: Db,
  { deviceId, section, number, ...query }: ReadQueryOf<typeof listSettingChanges>,
  scope: Scope,
): Promise<AnswerOf<typeof listSettingChanges>> {
  await foundRow(findSettledDevice(db, deviceId, scope))
  const { rows, next } = await readPage(
    askedPage(query, CHANGES_SHOWN, (key) => readPageKey(key, changeKey)),
    (page) => settingChangesPage(db, scope, { deviceId, section, number }, page),
    ({ key }) => key,
  )
  return { rows: rows.map(({ change }) => change), next }
}

export async function compareSettings(
  db: Db,
  deviceIds: readonly DeviceId[],
  scope: Scope,
): Promise<AnswerOf<typeof compareDeviceSettings>> {
  const asked = [...new Set(deviceIds)]
  const [devices, known] = await Promise.all([
    listSettledDevices(db, asked, scope),
    // Unknown and foreign devices are refused below, so nothing of theirs is shown.
    readKnownDevices(db, asked, scope),
  ])
  if (devices.length < asked.length) throw notFound()
  return devices.map((device) => toCompared(device, known.get(device.id) as KnownDevice))
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
