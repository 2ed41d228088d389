import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { type getPresentValues, type getReadings, MOST_READINGS } from '#contract/http/insight/analytics.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible, visibleAmong } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import { readFieldReadings } from '#server/telemetry/read/fieldReadings.ts'
import { readHourlyMeansOfMany } from '#server/telemetry/read/hourlyMeans.ts'
import { readCurrentStates, type WantedFields } from '#server/telemetry/state/currentState.ts'

export async function readingsOf(
  pool: Given['pool'],
  { deviceId, measurementId: fieldId, ...query }: ReadQueryOf<typeof getReadings>,
  scope: Scope,
): Promise<AnswerOf<typeof getReadings>> {
  if (!numberedFieldById(fieldId)?.field.isMeasurement) {
    throw new CallError('invalid_request', notValid('measurementId'))
  }
  const { from, to } = readPeriod(query)
  const [found] = await Promise.all([
    readFieldReadings(pool, { deviceId, fieldId, from, to: justAfter(to) }, MOST_READINGS + 1),
    requireVisible(pool, scope, [deviceId]),
  ])
  const isWhole = found.timesMs.length <= MOST_READINGS
  return {
    timesMs: found.timesMs.slice(-MOST_READINGS),
    values: found.values.slice(-MOST_READINGS),
    isWhole,
  }
}

export async function presentValues(
  pool: Given['pool'],
  { devices, fields }: ReadQueryOf<typeof getPresentValues>,
  scope: Scope,
): Promise<AnswerOf<typeof getPresentValues>> {
  if (devices.length !== fields.length) throw new CallError('invalid_request', notValid('fields'))
  const asked = devices.map((deviceId, index) => ({ deviceId, fieldId: fields[index] as FieldId }))
  const fieldIds = [...new Set(fields)].filter((id) => numberedFieldById(id) !== undefined)
  const deviceIds = [...new Set(devices)]
  const measured = fieldIds.filter((id) => numberedFieldById(id)?.field.isMeasurement)
  // The devices' visibility is checked while their data is read, and decides before anything is answered.
  const [seen, known, hours] = await Promise.all([
    visibleAmong(pool, scope, deviceIds),
    readCurrentStates(pool, scope, deviceIds, wantedOf(fieldIds)),
    measured.length === 0 ? undefined : readHourlyMeansOfMany(pool, deviceIds, measured, new Date()),
  ])
  const isKnown = ({ deviceId, fieldId }: (typeof asked)[number]) => seen.has(deviceId) && fieldIds.includes(fieldId)
  const values = asked.filter(isKnown).flatMap(({ deviceId, fieldId }) => {
    const reading = known.get(deviceId)?.find(({ numbered }) => numbered.id === fieldId)
    if (reading === undefined) return []
    const isMeasured = reading.numbered.field.isMeasurement
    const means24h = isMeasured ? [...(hours?.get(deviceId)?.get(fieldId) ?? [])] : null
    return [{ deviceId, fieldId, value: reading.value, at: reading.at.toISOString(), means24h }]
  })
  return { values, unknown: asked.filter((one) => !isKnown(one)) }
}

function wantedOf(fieldIds: readonly FieldId[]): WantedFields {
  const fields = fieldIds.flatMap((id) => numberedFieldById(id) ?? [])
  return {
    eventTypeIds: [...new Set(fields.map(({ type }) => type.id))],
    isWanted: (eventTypeId, ordinal) =>
      fields.some(({ type, field }) => type.id === eventTypeId && field.ordinal === ordinal),
  }
}
