import { fieldsOfComponent, type NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { type FieldState, foldUnmerged, type MarkRow } from './unmerged.ts'

/** The newest known value of one field, with the device time it was measured at. */
export interface FieldReading {
  readonly numbered: NumberedField
  readonly value: number | string
  readonly at: Date
}

export interface ComponentState {
  readonly eventTypeId: number
  readonly number: number
  /** The device time of its newest report. */
  readonly newestAt: Date
  readonly fields: Readonly<Record<string, FieldState>>
}

/** Narrows a question for callers that need less than everything. */
export interface WantedFields {
  readonly eventTypeIds?: readonly number[]
  /** Chooses the fields to look for among readings that are not merged yet. */
  readonly isWanted?: (eventTypeId: number, ordinal: number) => boolean
}

interface Row {
  readonly device_id: DeviceId
  readonly event_type_id: number
  readonly number: number
  readonly newest_at: Date | null
  readonly state: Readonly<Record<string, FieldState>> | null
  readonly from_at: Date | null
  readonly ordinals: readonly number[] | null
}

const EVERYTHING: Scope = { kind: 'everything' }

/** Reads every field that the device ever reported, by component and in the order of the catalogue. */
export async function readCurrentState(queryable: Queryable, deviceId: DeviceId): Promise<readonly FieldReading[]> {
  const { rows } = await queryable.query<Row>(...question(EVERYTHING, [deviceId]))
  return readingsOf(await componentsOf(queryable, rows)).get(deviceId) ?? []
}

/** Reads the same for many devices. Devices that never reported or are outside the scope are left out. */
export async function readCurrentStates(
  statements: Statements,
  scope: Scope,
  deviceIds: readonly DeviceId[],
  wanted?: WantedFields,
): Promise<ReadonlyMap<DeviceId, readonly FieldReading[]>> {
  return readingsOf(await readComponentStates(statements, scope, deviceIds, wanted))
}

function readingsOf(
  devices: ReadonlyMap<DeviceId, readonly ComponentState[]>,
): ReadonlyMap<DeviceId, readonly FieldReading[]> {
  const states = new Map<DeviceId, FieldReading[]>()
  for (const [deviceId, components] of devices) {
    const readings = components.flatMap(({ eventTypeId, number, fields }) =>
      componentFields(eventTypeId, number).flatMap((numbered) => {
        const known = fields[numbered.field.name]
        return known === undefined ? [] : [{ numbered, value: known[0], at: new Date(known[1]) }]
      }),
    )
    states.set(deviceId, readings)
  }
  return states
}

/** Reads the device time of each device's newest report. A device that never reported is left out. */
export async function readNewestReports(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, Date>> {
  const states = await readComponentStates(statements, EVERYTHING, deviceIds, { isWanted: () => false })
  return new Map(
    [...states].map(([deviceId, components]) => [
      deviceId,
      new Date(Math.max(...components.map(({ newestAt }) => newestAt.getTime()))),
    ]),
  )
}

/**
 * Reads everything that was acknowledged before the question, by any process: the stored state, and over it the
 * readings that are not merged yet (docs/decisions/0161). Components are ordered by type and number.
 */
export async function readComponentStates(
  statements: Statements,
  scope: Scope,
  deviceIds: readonly DeviceId[],
  wanted?: WantedFields,
): Promise<ReadonlyMap<DeviceId, readonly ComponentState[]>> {
  const { rows } = await statements.query<Row>(...question(scope, deviceIds, wanted))
  return componentsOf(statements, rows, wanted)
}

async function componentsOf(
  statements: Statements,
  rows: readonly Row[],
  wanted?: WantedFields,
): Promise<ReadonlyMap<DeviceId, readonly ComponentState[]>> {
  const marks = rows.flatMap(({ device_id, event_type_id, number, from_at, ordinals }): MarkRow[] =>
    from_at === null || ordinals === null
      ? []
      : [{ device_id, event_type_id, number, from_at, fields: wantedOf(event_type_id, ordinals, wanted) }],
  )
  const components = new Map<DeviceId, ComponentState[]>()
  for (const { device_id, event_type_id: eventTypeId, number, newest_at: newestAt, state } of rows) {
    if (newestAt !== null && state !== null)
      put(components, device_id, { eventTypeId, number, newestAt, fields: state })
  }
  if (marks.length > 0) {
    for (const { deviceId, layout, number, newestMs, fields } of await foldUnmerged(statements, marks)) {
      const newestAt = new Date(newestMs)
      const newer = { eventTypeId: layout.type.id, number, newestAt, fields: Object.fromEntries(fields) }
      put(components, deviceId, newer)
    }
    for (const list of components.values()) list.sort((a, b) => a.eventTypeId - b.eventTypeId || a.number - b.number)
  }
  return components
}

const wantedOf = (eventTypeId: number, ordinals: readonly number[], wanted: WantedFields | undefined) =>
  wanted?.isWanted === undefined ? ordinals : ordinals.filter((ordinal) => wanted.isWanted?.(eventTypeId, ordinal))

/** It is one statement, so that no reading is missed that is merged meanwhile. */
function question(scope: Scope, deviceIds: readonly DeviceId[], wanted?: WantedFields): [string, unknown[]] {
  const values: unknown[] = [deviceIds]
  let condition = 'device_id = any($1::int[])'
  if (scope.kind !== 'everything') {
    values.push(scope.customerId)
    condition += ` and device_id in (select id from device where id = any($1::int[]) and customer_id = $${values.length})`
  }
  if (wanted?.eventTypeIds !== undefined) {
    values.push(wanted.eventTypeIds)
    condition += ` and event_type_id = any($${values.length}::smallint[])`
  }
  return [
    `select device_id, event_type_id, number, newest_at, fields as state, null::timestamptz as from_at,
       null::smallint[] as ordinals
     from device_state where ${condition}
     union all
     select device_id, event_type_id, number, null, null, from_at, fields from state_mark where ${condition}
     order by device_id, event_type_id, number`,
    values,
  ]
}

/** Merges field by field, because each field moves forward alone. */
function put(components: Map<DeviceId, ComponentState[]>, deviceId: DeviceId, given: ComponentState): void {
  const list = components.get(deviceId) ?? []
  components.set(deviceId, list)
  const index = list.findIndex(
    ({ eventTypeId, number }) => eventTypeId === given.eventTypeId && number === given.number,
  )
  const known = list[index]
  if (known === undefined) {
    list.push(given)
    return
  }
  const fields = { ...known.fields }
  for (const [name, field] of Object.entries(given.fields)) {
    const before = fields[name]
    if (before === undefined || field[1] > before[1]) fields[name] = field
  }
  list[index] = { ...known, newestAt: given.newestAt > known.newestAt ? given.newestAt : known.newestAt, fields }
}

const cachedFields = new Map<number, readonly NumberedField[]>()

function componentFields(eventTypeId: number, number: number): readonly NumberedField[] {
  const key = eventTypeId * 100 + number
  let fields = cachedFields.get(key)
  if (fields === undefined) {
    fields = fieldsOfComponent(eventTypeId, number)
    cachedFields.set(key, fields)
  }
  return fields
}
