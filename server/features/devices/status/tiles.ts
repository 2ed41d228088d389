import type { DashboardItem } from '#contract/http/devices/status.ts'
import { hasTileChart, tileName } from '#domain/catalogue/displayRules.ts'
import { type EventTypeTopic, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { fieldsOfComponent, measurementName, type NumberedField } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { unusedPortFields } from '#domain/components/unusedPorts.ts'
import type { FieldId } from '#domain/ids.ts'
import type { ActiveAlert, FittedDevice } from './status.store.ts'

/** The newest known value of a field, with the device time of its reading. */
export interface FieldReading {
  readonly numbered: NumberedField
  readonly value: number | string
  readonly at: Date
  /** The time by the device's own clock, when that is not trusted; `at` is the time of arrival then. */
  readonly claimedAt?: Date
}

/** Means of the last 24 hours by field, oldest first; null is an hour without a reading. */
export type HourlyMeans = ReadonlyMap<FieldId, readonly (number | null)[]>

export interface TileSources {
  readonly readings: readonly FieldReading[]
  readonly means: HourlyMeans
  /** The newest Opened and Active alert of each field, with the worst severity of all of them. */
  readonly alerts: ReadonlyMap<FieldId, ActiveAlert>
}

const HOURS = 24

/** Operators look at these groups first. */
const GROUP_ORDER: readonly EventTypeTopic[] = [
  'device',
  'display',
  'ups',
  'ecu',
  'power-switch',
  'router',
  'router-relay',
  'relay',
  'camera',
  'yocto',
]

const place = ({ type, number }: NumberedField) => GROUP_ORDER.indexOf(type.topic) * 10 + number

/**
 * Makes the tiles of a device: every field of its fitted components and of whatever else it has reported, without
 * fields that nobody reads or that few sensors have.
 */
export function tilesOf(
  { modelId, components }: FittedDevice,
  { readings, means, alerts }: TileSources,
): DashboardItem[] {
  const reported = reportedComponents(modelId, components).map(({ topic, number }) => ({
    typeId: eventTypeByTopic(topic)?.id ?? 0,
    number,
  }))
  const seen = readings.map(({ numbered }) => ({ typeId: numbered.type.id, number: numbered.number }))
  const parts = new Map([...reported, ...seen].map((part) => [`${part.typeId}/${part.number}`, part]))
  const fields = [...parts.values()].flatMap(({ typeId, number }) => fieldsOfComponent(typeId, number))
  const newest = new Map(readings.map((reading) => [reading.numbered.id, reading]))
  const measurements = new Set(measurementsOfModel(modelId).map(({ id }) => id))
  const unused = unusedPortFields(components)

  return fields
    .filter(({ id, field }) => field.tile === 'always' || (field.tile === 'once reported' && newest.has(id)))
    .sort((a, b) => place(a) - place(b) || a.id - b.id)
    .map((numbered) => {
      const reading = newest.get(numbered.id)
      const isCharted = hasTileChart(numbered, modelId)
      const isMeasurement = isCharted && measurements.has(numbered.id)
      return {
        field_id: numbered.id,
        field_name: `${tileName(numbered, modelId)}${unused.has(numbered.id) ? ' (not in use)' : ''}`,
        field_db_name: numbered.wireName,
        field_value: reading?.value ?? null,
        group_name: numbered.groupName,
        alert_id: alerts.get(numbered.id)?.id ?? null,
        alert_severity_id: alerts.get(numbered.id)?.severityId ?? null,
        icon: numbered.field.icon,
        measurement_id: isMeasurement ? numbered.id : null,
        measurement_name: isMeasurement ? measurementName(numbered) : null,
        measurement_event_type_id: isMeasurement ? numbered.type.id : null,
        data_points_24h: isCharted ? pointsOf(means.get(numbered.id)) : pointsOf(undefined),
        value_dt: reading?.at.toISOString() ?? null,
        ...(reading?.claimedAt && { claimed_dt: reading.claimedAt.toISOString() }),
      }
    })
}

function pointsOf(means: readonly (number | null)[] | undefined): (number | null)[] {
  return Array.from({ length: HOURS }, (_, hour) => means?.[hour] ?? null)
}
