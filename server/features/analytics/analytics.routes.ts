import type { z } from 'zod'
import { getAnalyticsColumns, getAnalyticsTable, listMeasurements, type Measurement } from '#contract/http/analytics.ts'
import { measurementName } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { heavyRoute, type Route, route } from '#server/http/call/route.ts'
import { columnsJson, type SeriesByDevice } from '#server/telemetry/seriesBytes/columnsJson.ts'
import { type Series, seriesJson } from '#server/telemetry/seriesBytes/seriesJson.ts'
import type { AnalyticsStore } from './analytics.store.ts'
import { type AnalyticsQuestion, readQuestion } from './question.ts'

export interface AnalyticsNeeds {
  readonly store: AnalyticsStore
  readonly visibleDevices: VisibleDevices
  /** Means over buckets by time and device, without rows where nothing was reported; long periods in parts. */
  readonly series: (question: AnalyticsQuestion) => Parts<Series>
  /** The same by device. */
  readonly seriesByDevice: (question: AnalyticsQuestion) => Parts<SeriesByDevice>
}

interface Parts<Part> {
  readonly parts: AsyncIterable<Part>
  readonly isOne: boolean
}

export function analyticsRoutes({ store, visibleDevices, series, seriesByDevice }: AnalyticsNeeds): readonly Route[] {
  async function table(query: z.output<typeof getAnalyticsTable.query>, caller: Caller) {
    const question = readQuestion(query)
    const { parts, isOne } = series(question)
    const json = seriesJson(parts, { ...question, isGrouped: query.groupDevices ?? false })
    return ofVisible(question, caller, json, isOne)
  }

  async function columns(query: z.output<typeof getAnalyticsColumns.query>, caller: Caller) {
    const question = readQuestion(query)
    const { parts, isOne } = seriesByDevice(question)
    return ofVisible(question, caller, columnsJson(parts, question), isOne)
  }

  /** Whether the devices may be seen is asked beside what they reported, and answered before it. */
  async function ofVisible(
    { deviceIds }: AnalyticsQuestion,
    caller: Caller,
    json: AsyncGenerator<Uint8Array, void>,
    isOne: boolean,
  ) {
    const visible = visibleDevices.require(scopeOf(caller), deviceIds)
    if (isOne) return Promise.all([Array.fromAsync(json), visible]).then(([parts]) => Buffer.concat(parts))
    const first = json.next()
    // Told by whoever reads on, unless the devices are not theirs.
    first.catch(() => undefined)
    await visible
    return continued(first, json)
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
    heavyRoute(getAnalyticsTable, ({ query, caller }) => table(query, caller)),
    heavyRoute(getAnalyticsColumns, ({ query, caller }) => columns(query, caller)),
  ]
}

/** A generator whose first part was asked for already. */
async function* continued(
  first: Promise<IteratorResult<Uint8Array, void>>,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    const { value, done } = await first
    if (done) return
    yield value
    yield* rest
  } finally {
    await rest.return()
  }
}
