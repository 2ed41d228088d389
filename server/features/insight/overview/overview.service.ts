import type { ReadQueryOf } from '#contract/call/call.ts'
import type {
  DashboardValue,
  EtlInfo,
  getDashboardTable,
  HeatMapRow,
  LastAlertRow,
  OpenedAlertRow,
  TemperatureRow,
  TileTrend,
} from '#contract/http/insight/overview.ts'
import { DASHBOARD_KEYS, MOST_WRONG_DEVICES, TREND_POINTS, type WrongNow } from '#contract/http/insight/overview.ts'
import { ALERT_STATUSES, CONDITION_STATES } from '#domain/alerts/alertLabels.ts'
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
import type { CustomerId, DeviceId, FieldId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { justAfter, type Period, readPeriod } from '#server/http/reading/period.ts'
import { SAMPLE_STEP_MS, sampleTimeOf } from './fleetSamples.store.ts'
import type { WrongNowStore } from './needsAttention.store.ts'
import { type DashboardStore, type HotDevice, INTAKE_TEMPERATURES, INTERNAL_TEMPERATURES } from './overview.store.ts'

/** The mean of each field in an hour; an hour without any has no row. */
export interface HourlyRow {
  readonly deviceId: DeviceId
  readonly atMs: number
  readonly means: readonly (number | null)[]
}

export interface DashboardDeps {
  readonly store: DashboardStore
  readonly wrong: WrongNowStore
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  readonly etlInfo: () => Promise<EtlInfo>
  readonly hourlyMeans: (question: {
    readonly deviceIds: readonly DeviceId[]
    readonly fieldIds: readonly FieldId[]
    readonly from: Date
    readonly to: Date
  }) => Promise<readonly HourlyRow[]>
}

type TableQuery = ReadQueryOf<typeof getDashboardTable>
type Request = Pick<TableQuery, 'customerId' | 'dateFrom' | 'dateTo'>

/** This period is used where none is given (rules/overview 7). */
const DEFAULT_PERIOD_MS = 7 * DAY_MS
const MOST_HOT = 10
/** The chart has 3 devices and 24 hours (rules/overview 5). */
const CHARTED = 3
const MOST_LAST = 10

export function createDashboard({ store, wrong, customerExists, etlInfo, hourlyMeans }: DashboardDeps) {
  /** @throws CallError `not_found` for a customer that the caller may not see */
  async function askedScope(caller: Caller, { customerId }: Request): Promise<Scope> {
    const scope = scopeOf(caller)
    if (customerId === undefined || customerId === -1) return scope
    if (!(await customerExists(customerId, scope))) throw notFound()
    return { kind: 'customer', customerId }
  }

  async function hotRows(scope: Scope, now: Date): Promise<TemperatureRow[]> {
    const hottest = await store.hottest(scope, now, MOST_HOT)
    return hottest.map((device) => toTemperatureRow(device, device))
  }

  async function chartRows(scope: Scope, now: Date): Promise<TemperatureRow[]> {
    const devices = await store.hottest(scope, now, CHARTED)
    if (devices.length === 0) return []
    const lastHourMs = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
    const hoursMs = Array.from({ length: HOURS_OF_DAY }, (_, hour) => lastHourMs - (HOURS_OF_DAY - 1 - hour) * HOUR_MS)
    const fieldIds = [...new Set(devices.flatMap(temperaturesOf))]
    const means = await hourlyMeans({
      deviceIds: devices.map(({ id }) => id),
      fieldIds,
      from: new Date(hoursMs[0] ?? lastHourMs),
      to: new Date(lastHourMs + HOUR_MS),
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

  async function openedRows(scope: Scope): Promise<OpenedAlertRow[]> {
    const opened = await store.openedAlerts(scope)
    return opened.map(({ fieldId, conditionText, devices, devicesNow, devicesOver }) => ({
      condition_field: fieldLabel(fieldId),
      condition_text: conditionText,
      count_devices: devices,
      count_active: devicesNow,
      count_over: devicesOver,
    }))
  }

  async function heatMapRows(scope: Scope, timeZone: string, now: Date): Promise<HeatMapRow[]> {
    const from = yearBefore(now)
    const isInQuarters = needsQuarters(timeZone, from.getTime(), now.getTime())
    const stepMs = firstWholeStep(from.getTime(), isInQuarters)
    const { days, first } = await store.alertCounts(scope, from, new Date(stepMs), isInQuarters)
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

  async function lastRows(scope: Scope, { from, to }: Period): Promise<LastAlertRow[]> {
    const alerts = await store.lastAlerts(scope, from, justAfter(to), MOST_LAST)
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

  async function wrongNowOf(scope: Scope): Promise<WrongNow> {
    const [counts, rows] = await Promise.all([wrong.counts(scope), wrong.rows(scope, MOST_WRONG_DEVICES)])
    return { ...counts, rows }
  }

  return {
    wrongNowOf,

    wrongNow: async (query: Pick<Request, 'customerId'>, caller: Caller) => wrongNowOf(await askedScope(caller, query)),

    trends: async (query: Pick<Request, 'customerId'>, caller: Caller): Promise<TileTrend> => {
      const scope = await askedScope(caller, query)
      const lastMs = sampleTimeOf(new Date()).getTime()
      const fromMs = lastMs - (TREND_POINTS - 1) * SAMPLE_STEP_MS
      const samples = await store.samples(scope, new Date(fromMs))
      const known = new Map(samples.map(({ at, values }) => [at.getTime(), values]))
      const timesMs = Array.from({ length: TREND_POINTS }, (_, step) => fromMs + step * SAMPLE_STEP_MS)
      return {
        from: new Date(fromMs).toISOString(),
        stepMinutes: SAMPLE_STEP_MS / MINUTE_MS,
        trends: DASHBOARD_KEYS.map((key) => ({ key, values: timesMs.map((ms) => known.get(ms)?.[key] ?? null) })),
      }
    },

    /** The live stream sends these. */
    valuesOf: (scope: Scope) => store.values(scope, new Date()),
    openedRows,

    values: async (query: Request, caller: Caller): Promise<readonly DashboardValue[]> => {
      const now = new Date()
      askedPeriod(query, now)
      return store.values(await askedScope(caller, query), now)
    },

    /**
     * @throws CallError `forbidden` for the roll-up unless the caller is internal, for the rest unless they see devices
     */
    table: async (query: TableQuery, caller: Caller) => {
      const now = new Date()
      const period = askedPeriod(query, now)
      const { table, timeZone = 'UTC' } = query
      if (!isAllowed(table === 'ETL_DB_INFO' ? 'internal' : 'seeDevices', caller)) throw new CallError('forbidden')
      const scope = await askedScope(caller, query)
      if (table === 'ETL_DB_INFO') return [await etlInfo()]
      if (table === 'INTERNAL_TEMPERATURE') return hotRows(scope, now)
      if (table === 'AVG_TEMPERATURE') return chartRows(scope, now)
      if (table === 'OPENED_ALERTS') return openedRows(scope)
      if (table === 'HEATMAP_ALERTS') return heatMapRows(scope, timeZone, now)
      return lastRows(scope, period)
    },
  }
}

/** Lists the internal and intake temperature of the device's hottest display. */
const temperaturesOf = ({ displayNumber }: HotDevice): FieldId[] =>
  [INTERNAL_TEMPERATURES, INTAKE_TEMPERATURES].flatMap((fieldIds) => fieldIds[displayNumber - 1] ?? [])

function toTemperatureRow(
  { id, guid, name, displayNumber, limitCelsius }: HotDevice,
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
    device_time: shown.at.toISOString(),
  }
}

/** @throws CallError `invalid_request` when it ends before it begins */
function askedPeriod({ dateFrom, dateTo }: Request, now: Date): Period {
  const to = dateTo ?? now.toISOString()
  return readPeriod({ dateTo: to, dateFrom: dateFrom ?? new Date(Date.parse(to) - DEFAULT_PERIOD_MS).toISOString() })
}

function fieldLabel(fieldId: FieldId): string {
  const numbered = numberedFieldById(fieldId)
  return numbered ? `${groupTitle(numbered.groupName)}: ${measurementName(numbered)}` : UNKNOWN_TEXT
}

const nameIn = (words: readonly { readonly id: number; readonly name: string }[], id: number) =>
  words.find((word) => word.id === id)?.name ?? UNKNOWN_TEXT

export type Dashboard = ReturnType<typeof createDashboard>
