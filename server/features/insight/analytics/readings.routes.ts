import type { z } from 'zod'
import { getPresentValues, getReadings, MOST_READINGS } from '#contract/http/insight/analytics.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import type { FieldReadings, FieldReadingsQuestion } from '#server/telemetry/read/fieldReadings.ts'
import type { HourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'
import type { FieldReading, WantedFields } from '#server/telemetry/state/currentState.ts'

export interface ReadingsDeps {
  readonly visibleDevices: VisibleDevices
  readonly readings: (question: FieldReadingsQuestion, atMost: number) => Promise<FieldReadings>
  readonly states: (
    scope: Scope,
    deviceIds: readonly DeviceId[],
    wanted: WantedFields,
  ) => Promise<ReadonlyMap<DeviceId, readonly FieldReading[]>>
  readonly means: (
    deviceIds: readonly DeviceId[],
    fieldIds: readonly FieldId[],
    now: Date,
  ) => Promise<ReadonlyMap<DeviceId, ReadonlyMap<FieldId, HourlyMeans>>>
}

type PresentValuesQuery = z.output<typeof getPresentValues.query>
type PresentValues = z.input<typeof getPresentValues.answer>

export function readingsRoutes({ visibleDevices, readings, states, means }: ReadingsDeps): readonly Route[] {
  async function presentValues({ devices, fields }: PresentValuesQuery, scope: Scope): Promise<PresentValues> {
    if (devices.length !== fields.length) throw new CallError('invalid_request', notValid('fields'))
    const asked = devices.map((deviceId, index) => ({ deviceId, fieldId: fields[index] as FieldId }))
    const fieldIds = [...new Set(fields)].filter((id) => numberedFieldById(id) !== undefined)
    const deviceIds = [...new Set(devices)]
    const measured = fieldIds.filter((id) => numberedFieldById(id)?.field.isMeasurement)
    // The devices' visibility is checked while their data is read, and decides before anything is answered.
    const [seen, known, hours] = await Promise.all([
      visibleDevices.among(scope, deviceIds),
      states(scope, deviceIds, wantedOf(fieldIds)),
      measured.length === 0 ? undefined : means(deviceIds, measured, new Date()),
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

  return [
    route(getReadings, async ({ query, caller }) => {
      const { deviceId, measurementId: fieldId } = query
      if (!numberedFieldById(fieldId)?.field.isMeasurement) {
        throw new CallError('invalid_request', notValid('measurementId'))
      }
      const { from, to } = readPeriod(query)
      const [found] = await Promise.all([
        readings({ deviceId, fieldId, from, to: justAfter(to) }, MOST_READINGS + 1),
        visibleDevices.require(scopeOf(caller), [deviceId]),
      ])
      const isWhole = found.timesMs.length <= MOST_READINGS
      return {
        timesMs: found.timesMs.slice(-MOST_READINGS),
        values: found.values.slice(-MOST_READINGS),
        isWhole,
      }
    }),
    route(getPresentValues, ({ query, caller }) => presentValues(query, scopeOf(caller))),
  ]
}

function wantedOf(fieldIds: readonly FieldId[]): WantedFields {
  const fields = fieldIds.flatMap((id) => numberedFieldById(id) ?? [])
  return {
    eventTypeIds: [...new Set(fields.map(({ type }) => type.id))],
    isWanted: (eventTypeId, ordinal) =>
      fields.some(({ type, field }) => type.id === eventTypeId && field.ordinal === ordinal),
  }
}
