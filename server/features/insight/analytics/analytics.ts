import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  getAnalyticsColumns,
  getAnalyticsTable,
  getPresentValues,
  getReadings,
  listMeasurements,
  type Measurement,
} from '#contract/http/insight/analytics.ts'
import { measurementName } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import type { Given } from '#server/features/feature.ts'
import { findModelId } from '#server/fleet/existingDevices.store.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { heavyRoute, type JsonText, route, type SignedInRequest } from '#server/http/call/route.ts'
import { readSeries, readSeriesByDevice } from '#server/telemetry/read/series.ts'
import { seriesColumnsJson, seriesRowsJson } from '#server/telemetry/read/seriesJson.ts'
import { presentValues, readingsOf } from './presentValues.ts'
import { type AnalyticsQuestion, readQuestion } from './question.ts'

type Deps = Pick<Given, 'pool' | 'longReads'>
type Request = Pick<SignedInRequest<never>, 'caller' | 'coding'>

export function analyticsFeature(given: Pick<Given, 'pool' | 'db' | 'longReads'>) {
  const { pool, db } = given
  return {
    routes: [
      route(listMeasurements, async ({ query, caller }) => {
        const modelId = await foundRow(findModelId(db, query.deviceId, scopeOf(caller)))
        return measurementsOfModel(modelId).map(
          (numbered): Measurement => ({
            mea_id: numbered.id,
            mea_name: measurementName(numbered),
            mea_group: numbered.groupName,
            event_type_id: numbered.type.id,
          }),
        )
      }),
      heavyRoute(getAnalyticsTable, ({ query, ...request }) => table(given, query, request)),
      heavyRoute(getAnalyticsColumns, ({ query, ...request }) => columns(given, query, request)),
      route(getReadings, ({ query, caller }) => readingsOf(pool, query, scopeOf(caller))),
      route(getPresentValues, ({ query, caller }) => presentValues(pool, query, scopeOf(caller))),
    ],
  }
}

async function table(
  { pool, longReads }: Deps,
  query: ReadQueryOf<typeof getAnalyticsTable>,
  { caller, coding }: Request,
): Promise<JsonText> {
  const question = { ...readQuestion(query), isGrouped: query.groupDevices ?? false }
  const { parts, isOne } = readSeries(pool, question)
  if (isOne) return atOnce(pool, question, caller, seriesRowsJson(parts, question))
  await requireVisible(pool, scopeOf(caller), question.deviceIds)
  return { parts: longReads.seriesRows(question, coding), coding }
}

async function columns(
  { pool, longReads }: Deps,
  query: ReadQueryOf<typeof getAnalyticsColumns>,
  { caller, coding }: Request,
): Promise<JsonText> {
  const question = readQuestion(query)
  const { parts, isOne } = readSeriesByDevice(pool, question)
  if (isOne) return atOnce(pool, question, caller, seriesColumnsJson(parts, question))
  await requireVisible(pool, scopeOf(caller), question.deviceIds)
  return { parts: longReads.seriesColumns(question, coding), coding }
}

/** Checks that the devices are visible while their data is read, and refuses before anything is answered. */
async function atOnce(
  pool: Given['pool'],
  { deviceIds }: AnalyticsQuestion,
  caller: Caller,
  json: AsyncGenerator<string, void>,
): Promise<string> {
  const [parts] = await Promise.all([Array.fromAsync(json), requireVisible(pool, scopeOf(caller), deviceIds)])
  return parts.join('')
}
