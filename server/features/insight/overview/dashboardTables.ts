import type { HeatMapRow, LastAlertRow, OpenedAlertRow, TemperatureRow } from '#contract/http/insight/overview.ts'
import { ALERT_STATUSES, CONDITION_STATES } from '#domain/alerts/alertLabels.ts'
import { alertTitle } from '#domain/alerts/conditionTitle.ts'
import {
  addToWeek,
  DAYS_OF_WEEK,
  dayWith,
  emptyWeek,
  firstWholeStep,
  HOURS_OF_DAY,
  needsQuarters,
  yearBefore,
} from '#domain/alerts/heatMap.ts'
import { groupTitle, measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { justAfter, type Period } from '#server/http/reading/period.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import {
  countAlerts,
  type HotDevice,
  INTAKE_TEMPERATURES,
  INTERNAL_TEMPERATURES,
  readHottest,
  readLastAlerts,
  readOpenedAlerts,
} from './overview.store.ts'

const MOST_HOT = 10
/** The chart has 3 devices and 24 hours (rules/overview 5). */
const CHARTED = 3
const MOST_LAST = 10

export async function hotRows(pool: Given['pool'], scope: Scope, now: Date): Promise<TemperatureRow[]> {
  const hottest = await readHottest(pool, scope, now, MOST_HOT)
  return hottest.map((device) => toTemperatureRow(device, device))
}

export async function chartRows(pool: Given['pool'], scope: Scope, now: Date): Promise<TemperatureRow[]> {
  const devices = await readHottest(pool, scope, now, CHARTED)
  if (devices.length === 0) return []
  const lastHourMs = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const hoursMs = Array.from({ length: HOURS_OF_DAY }, (_, hour) => lastHourMs - (HOURS_OF_DAY - 1 - hour) * HOUR_MS)
  const fieldIds = [...new Set(devices.flatMap(temperaturesOf))]
  const means = await readSeriesRows(pool, {
    deviceIds: devices.map(({ id }) => id),
    fieldIds,
    from: new Date(hoursMs[0] ?? lastHourMs),
    to: new Date(lastHourMs + HOUR_MS),
    stepMinutes: 60,
    withRange: false,
  })
  const found = new Map(means.map((row) => [`${row.deviceId} ${row.atMs}`, row.means]))
  return devices.flatMap((device) => {
    const [internal = 0, intake = 0] = temperaturesOf(device).map((fieldId) => fieldIds.indexOf(fieldId))
    return hoursMs.map((timeMs) => {
      const hour = found.get(`${device.id} ${timeMs}`)
      const mean = { internalCelsius: hour?.[internal] ?? null, intakeCelsius: hour?.[intake] ?? null }
      return toTemperatureRow(device, { ...mean, at: new Date(timeMs) })
    })
  })
}

export async function openedRows(pool: Given['pool'], scope: Scope): Promise<OpenedAlertRow[]> {
  const opened = await readOpenedAlerts(pool, scope)
  return opened.map(({ fieldId, conditionText, ownTitle, devices, devicesNow, devicesOver }) => ({
    condition_field: fieldLabel(fieldId),
    condition_text: conditionText,
    title: alertTitle({ conditionText, title: ownTitle }),
    count_devices: devices,
    count_active: devicesNow,
    count_over: devicesOver,
  }))
}

export async function heatMapRows(
  pool: Given['pool'],
  scope: Scope,
  timeZone: string,
  now: Date,
): Promise<HeatMapRow[]> {
  const from = yearBefore(now)
  const isInQuarters = needsQuarters(timeZone, from.getTime(), now.getTime())
  const stepMs = firstWholeStep(from.getTime(), isInQuarters)
  const { days, first } = await countAlerts(pool, scope, { from, step: new Date(stepMs), isInQuarters })
  const week = emptyWeek()
  addToWeek(week, days, timeZone, stepMs)
  // All of these alerts lie within one step, which begins before the first whole one.
  if (first > 0) addToWeek(week, [dayWith(from.getTime(), first, isInQuarters)], timeZone, 0)
  return week.map((count_alerts, hour) => ({
    hn: hour % HOURS_OF_DAY,
    dwn: (Math.floor(hour / HOURS_OF_DAY) % DAYS_OF_WEEK) + 1,
    count_alerts,
  }))
}

export async function lastRows(pool: Given['pool'], scope: Scope, { from, to }: Period): Promise<LastAlertRow[]> {
  const alerts = await readLastAlerts(pool, scope, { from, to: justAfter(to) }, MOST_LAST)
  return alerts.map(({ id, name, guid, hasLeft, createdAt, fieldId, conditionText, statusId, conditionStateId }) => ({
    alert_id: id,
    device: name,
    device_guid: guid,
    device_has_left: hasLeft,
    device_time: createdAt.toISOString(),
    condition_field: fieldLabel(fieldId),
    condition_text: conditionText,
    status_name: nameIn(ALERT_STATUSES, statusId),
    condition_state_name: nameIn(CONDITION_STATES, conditionStateId),
  }))
}

/** Lists the internal and intake temperature of the device's hottest display. */
const temperaturesOf = ({ displayNumber }: HotDevice): FieldId[] =>
  [INTERNAL_TEMPERATURES, INTAKE_TEMPERATURES].flatMap((fieldIds) => fieldIds[displayNumber - 1] ?? [])

function toTemperatureRow(
  { id, guid, name, displayNumber, limitCelsius, severityId }: HotDevice,
  shown: { readonly internalCelsius: number | null; readonly intakeCelsius: number | null; readonly at: Date },
): TemperatureRow {
  return {
    device: name,
    device_id: id,
    device_guid: guid,
    display_number: displayNumber,
    internal_temp: shown.internalCelsius,
    intake_temp: shown.intakeCelsius,
    internal_limit: limitCelsius,
    internal_severity_id: severityId,
    device_time: shown.at.toISOString(),
  }
}

function fieldLabel(fieldId: FieldId): string {
  const numbered = numberedFieldById(fieldId)
  return numbered ? `${groupTitle(numbered.groupName)}: ${measurementName(numbered)}` : UNKNOWN_TEXT
}

const nameIn = (words: readonly { readonly id: number; readonly name: string }[], id: number) =>
  words.find((word) => word.id === id)?.name ?? UNKNOWN_TEXT
