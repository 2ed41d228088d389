import type pg from 'pg'
import { openDatabase } from './db/database.ts'
import { analyticsRoutes } from './features/analytics/analytics.routes.ts'
import { createAnalyticsStore } from './features/analytics/analytics.store.ts'
import { darkMinutesRoutes } from './features/darkMinutes/darkMinutes.routes.ts'
import { createDarkMinutes } from './features/darkMinutes/darkMinutes.service.ts'
import { createDarkMinutesStore } from './features/darkMinutes/darkMinutes.store.ts'
import { darknessRoutes } from './features/darkness/darkness.routes.ts'
import { createDarknessStore } from './features/darkness/darkness.store.ts'
import { createFeedStore } from './features/darkness/feeds.store.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { createDashboard } from './features/dashboard/dashboard.service.ts'
import { createDashboardStore } from './features/dashboard/dashboard.store.ts'
import { deviceRecordRoutes } from './features/deviceRecords/deviceRecords.routes.ts'
import { createDeviceRecords } from './features/deviceRecords/deviceRecords.service.ts'
import { createDeviceStore } from './features/devices/devices.store.ts'
import { holidaysOfDevice } from './gateway/holidays.ts'
import { createOverviewTeller, type OverviewTeller, type OverviewTellerNeeds } from './http/live/overviewTeller.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'
import { readCurrentState } from './telemetry/currentState.ts'
import { countDays, holidayReader, readDarkPlaces, touchedDates } from './telemetry/darkDays.ts'
import { readEtlInfo } from './telemetry/etlInfo.ts'
import { exportMessages, readMessages } from './telemetry/messages.ts'
import { readRawRows } from './telemetry/rawRows.ts'
import { exportRawRowsJson } from './telemetry/rawRowsJson.ts'
import { countMessages, countRawRows } from './telemetry/recordCounts.ts'
import { readSeries } from './telemetry/series.ts'
import { readSeriesRows } from './telemetry/seriesRows.ts'

/** The calls that answer what devices reported, joined with what reads it. */
export function readRoutes(pool: pg.Pool): readonly Route[] {
  const db = openDatabase(pool)
  const visibleDevices = createVisibleDevices(pool)
  const records = createDeviceRecords({
    visibleDevices,
    rawRows: (question) => readRawRows(pool, question),
    allRawRows: (question) => exportRawRowsJson(pool, question),
    countRawRows: (question) => countRawRows(pool, question),
    messages: (question) => readMessages(pool, question),
    allMessages: (question) => exportMessages(pool, question),
    countMessages: (question) => countMessages(pool, question),
  })
  return [
    ...analyticsRoutes({
      store: createAnalyticsStore(db),
      visibleDevices,
      series: (question) => readSeries(pool, question),
    }),
    ...deviceRecordRoutes(records),
    ...dashboardRoutes(dashboardOn(pool)),
    ...darknessRoutes({
      store: createDarknessStore(db),
      feeds: createFeedStore(db),
      currentState: (deviceId) => readCurrentState(pool, deviceId),
      holidays: (deviceId, daysAhead) => holidaysOfDevice(pool, deviceId, daysAhead),
      now: () => new Date(),
    }),
    ...darkMinutesRoutes(darkMinutesOn(pool)),
  ]
}

function darkMinutesOn(pool: pg.Pool) {
  const { findCustomer } = createDeviceStore(openDatabase(pool))
  return createDarkMinutes({
    store: createDarkMinutesStore(pool),
    visibleDevices: createVisibleDevices(pool),
    customerExists: async (id, scope) => (await findCustomer(id, scope)) !== undefined,
    place: async (deviceId) => (await readDarkPlaces(pool, [deviceId])).get(deviceId),
    holidays: ({ country }, first, last) => holidayReader(pool, first, last)(country),
    countDays: (place, dates, holidays, now) => countDays(pool, place, dates, holidays, now),
    touchedDates: ({ day, hours }, timeZone) => touchedDates(Date.parse(day), hours, timeZone),
  })
}

function dashboardOn(pool: pg.Pool) {
  const { findCustomer } = createDeviceStore(openDatabase(pool))
  return createDashboard({
    store: createDashboardStore(pool),
    customerExists: async (id, scope) => (await findCustomer(id, scope)) !== undefined,
    etlInfo: () => readEtlInfo(pool, new Date()),
    hourlyMeans: (question) => readSeriesRows(pool, { ...question, stepMinutes: 60, withRange: false }),
  })
}

/** What tells consoles the numbers of the Overview. */
export function overviewTeller(pool: pg.Pool, log: OverviewTellerNeeds['log']): OverviewTeller {
  const { valuesOf, openedRows } = dashboardOn(pool)
  const { alertChanges } = createDashboardStore(pool)
  return createOverviewTeller({
    readValues: valuesOf,
    readOpenedAlerts: openedRows,
    readAlertChanges: alertChanges,
    log,
  })
}
