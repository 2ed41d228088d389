import { createVisibleDevices } from '#server/http/visibleDevices.store.ts'
import { exportMessages, readMessages } from '#server/telemetry/messages.ts'
import { readRawRows } from '#server/telemetry/rawRows.ts'
import { exportRawRowsJson } from '#server/telemetry/rawRowsJson.ts'
import { countMessages, countRawRows } from '#server/telemetry/recordCounts.ts'
import type { Given } from '../feature.ts'
import { deviceRecordRoutes } from './deviceRecords.routes.ts'
import { createDeviceRecords } from './deviceRecords.service.ts'

/** What a device reported, row by row. */
export const deviceRecordsFeature = ({ pool }: Pick<Given, 'pool'>) => ({
  routes: deviceRecordRoutes(
    createDeviceRecords({
      visibleDevices: createVisibleDevices(pool),
      rawRows: (question) => readRawRows(pool, question),
      allRawRows: (question) => exportRawRowsJson(pool, question),
      countRawRows: (question) => countRawRows(pool, question),
      messages: (question) => readMessages(pool, question),
      allMessages: (question) => exportMessages(pool, question),
      countMessages: (question) => countMessages(pool, question),
    }),
  ),
})
