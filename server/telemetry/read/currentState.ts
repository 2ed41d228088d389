import { fieldsOfComponent, type NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** The newest known value of one field, with the device time it was measured at. */
export interface FieldReading {
  readonly numbered: NumberedField
  readonly value: number | string
  readonly at: Date
}

interface StateRow {
  readonly device_id: DeviceId
  readonly event_type_id: number
  readonly number: number
  readonly fields: Readonly<Record<string, readonly [number | string, number]>>
}

/** Every field that the device ever reported, by component and in the order of the catalogue; empty if it never did. */
export async function readCurrentState(queryable: Queryable, deviceId: DeviceId): Promise<readonly FieldReading[]> {
  return (await readCurrentStates(queryable, { kind: 'everything' }, [deviceId])).get(deviceId) ?? []
}

/** The same for many devices in one round trip; devices that never reported, or are not within the scope, are left out. */
export async function readCurrentStates(
  queryable: Queryable,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, readonly FieldReading[]>> {
  const isAll = scope.kind === 'everything'
  const { rows } = await queryable.query<StateRow>(
    prepared(
      `select device_id, event_type_id, number, fields from device_state
       where device_id = any($1::int[])
         ${isAll ? '' : 'and device_id in (select id from device where id = any($1::int[]) and customer_id = $2)'}
       order by device_id, event_type_id, number`,
      isAll ? [deviceIds] : [deviceIds, scope.customerId],
    ),
  )
  const states = new Map<DeviceId, FieldReading[]>()
  for (const row of rows) {
    const readings = states.get(row.device_id) ?? []
    states.set(row.device_id, readings)
    for (const numbered of componentFields(row.event_type_id, row.number)) {
      const stored = row.fields[numbered.field.name]
      if (stored !== undefined) readings.push({ numbered, value: stored[0], at: new Date(stored[1]) })
    }
  }
  return states
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
