import type { z } from 'zod'
import { getAnalyticsTable, listMeasurements, type Measurement } from '#contract/http/analytics.ts'
import { measurementName } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { jsonTextRoute, type Route, route } from '#server/http/call/route.ts'
import { type Series, seriesJson } from '#server/telemetry/seriesBytes/seriesJson.ts'
import type { AnalyticsStore } from './analytics.store.ts'
import { type AnalyticsQuestion, readQuestion } from './question.ts'

export interface AnalyticsNeeds {
  readonly store: AnalyticsStore
  readonly visibleDevices: VisibleDevices
  /** Means over buckets by time and device, without rows where nothing was reported; long periods in parts. */
  readonly series: (
    question: AnalyticsQuestion,
  ) => Promise<{ readonly parts: AsyncIterable<Series>; readonly isOne: boolean }>
}

export function analyticsRoutes({ store, visibleDevices, series }: AnalyticsNeeds): readonly Route[] {
  async function table(query: z.output<typeof getAnalyticsTable.query>, caller: Caller) {
    const question = readQuestion(query)
    const visible = visibleDevices.require(scopeOf(caller), question.deviceIds)
    const [{ parts, isOne }] = await Promise.all([series(question), visible])
    const json = seriesJson(parts, { ...question, isGrouped: query.groupDevices ?? false })
    return isOne ? Buffer.concat(await Array.fromAsync(json)) : json
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
    jsonTextRoute(getAnalyticsTable, ({ query, caller }) => table(query, caller)),
  ]
}
