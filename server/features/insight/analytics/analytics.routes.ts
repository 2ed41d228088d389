import type { z } from 'zod'
import {
  getAnalyticsColumns,
  getAnalyticsTable,
  listMeasurements,
  type Measurement,
} from '#contract/http/insight/analytics.ts'
import { measurementName } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { heavyRoute, type Route, route, type SignedInRequest } from '#server/http/call/route.ts'
import type { LongReads } from '#server/telemetry/longReads/longReads.ts'
import type { SeriesParts } from '#server/telemetry/read/series.ts'
import { seriesColumnsJson, seriesRowsJson } from '#server/telemetry/read/seriesJson.ts'
import type { AnalyticsStore } from './analytics.store.ts'
import { type AnalyticsQuestion, readQuestion } from './question.ts'

export interface AnalyticsDeps {
  readonly store: AnalyticsStore
  readonly visibleDevices: VisibleDevices
  /** Reads means over buckets by time and device, without empty rows; long periods come in parts. */
  readonly series: (question: AnalyticsQuestion) => SeriesParts
  /** Reads the same means ordered by device. */
  readonly seriesByDevice: (question: AnalyticsQuestion) => SeriesParts
  readonly longReads: Pick<LongReads, 'seriesRows' | 'seriesColumns'>
}

type Request = Pick<SignedInRequest<never>, 'caller' | 'coding'>

export function analyticsRoutes({
  store,
  visibleDevices,
  series,
  seriesByDevice,
  longReads,
}: AnalyticsDeps): readonly Route[] {
  async function table(query: z.output<typeof getAnalyticsTable.query>, { caller, coding }: Request) {
    const question = { ...readQuestion(query), isGrouped: query.groupDevices ?? false }
    const { parts, isOne } = series(question)
    if (isOne) return atOnce(question, caller, seriesRowsJson(parts, question))
    await requireVisible(question, caller)
    return { parts: longReads.seriesRows(question, coding), coding }
  }

  async function columns(query: z.output<typeof getAnalyticsColumns.query>, { caller, coding }: Request) {
    const question = readQuestion(query)
    const { parts, isOne } = seriesByDevice(question)
    if (isOne) return atOnce(question, caller, seriesColumnsJson(parts, question))
    await requireVisible(question, caller)
    return { parts: longReads.seriesColumns(question, coding), coding }
  }

  const requireVisible = ({ deviceIds }: AnalyticsQuestion, caller: Caller) =>
    visibleDevices.require(scopeOf(caller), deviceIds)

  /** Checks that the devices are visible while their data is read, and refuses before anything is answered. */
  async function atOnce(question: AnalyticsQuestion, caller: Caller, json: AsyncGenerator<string, void>) {
    const [parts] = await Promise.all([Array.fromAsync(json), requireVisible(question, caller)])
    return parts.join('')
  }

  return [
    route(listMeasurements, async ({ query, caller }) => {
      const modelId = await store.modelOf(query.deviceId, scopeOf(caller))
      if (modelId === undefined) throw notFound()
      return measurementsOfModel(modelId).map(
        (numbered): Measurement => ({
          mea_id: numbered.id,
          mea_name: measurementName(numbered),
          mea_group: numbered.groupName,
          event_type_id: numbered.type.id,
        }),
      )
    }),
    heavyRoute(getAnalyticsTable, ({ query, ...asked }) => table(query, asked)),
    heavyRoute(getAnalyticsColumns, ({ query, ...asked }) => columns(query, asked)),
  ]
}
