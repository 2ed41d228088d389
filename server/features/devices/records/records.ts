import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { exportMessages, readMessages } from '#server/telemetry/read/messages.ts'
import { readRawRows } from '#server/telemetry/read/rawRows.ts'
import { countMessages, countRawRows } from '#server/telemetry/read/recordCounts.ts'
import { deviceRecordRoutes } from './records.routes.ts'
import { createDeviceRecords } from './records.service.ts'

export const deviceRecordsFeature = ({ pool, longReads }: Pick<Given, 'pool' | 'longReads'>) => ({
  routes: deviceRecordRoutes(
    createDeviceRecords({
      visibleDevices: createVisibleDevices(pool),
      rawRows: (question) => readRawRows(pool, question),
      allRawRows: longReads.rawRows,
      countRawRows: (question) => countRawRows(pool, question),
      messages: (question) => readMessages(pool, question),
      allMessages: (question) => exportMessages(pool, question),
      countMessages: (question) => countMessages(pool, question),
    }),
  ),
})
