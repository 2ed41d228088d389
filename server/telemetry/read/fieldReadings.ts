import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'

export interface FieldReadingsQuestion {
  readonly deviceId: DeviceId
  /** A measured field. */
  readonly fieldId: FieldId
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
}

/** Device times in milliseconds since 1970, oldest first, and the values at those times. */
export interface FieldReadings {
  readonly timesMs: readonly number[]
  readonly values: readonly number[]
}

/**
 * Reads each reading of one field of a device in one round trip. Readings whose clock was not believed do not count, as
 * they do not in alerts.
 *
 * @param atMost when there are more readings, only this many of the newest are returned
 */
export async function readFieldReadings(
  queryable: Queryable,
  { deviceId, fieldId, from, to }: FieldReadingsQuestion,
  atMost: number,
): Promise<FieldReadings> {
  const numbered = numberedFieldById(fieldId)
  const layout = numbered && layoutByTypeId(numbered.type.id)
  const column = layout?.columns[layout.fields.findIndex(({ ordinal }) => ordinal === numbered?.field.ordinal)]
  if (numbered === undefined || layout === undefined || column === undefined) return { timesMs: [], values: [] }
  const { rows } = await queryable.query<{ at: number; value: number }>(
    `select date_part('epoch', device_dt) * 1000 as at, ${column}::float8 as value from ${layout.table}
       where device_id = $1 and number = $2 and device_dt >= $3 and device_dt < $4 and ${isBelieved()}
         and ${column} is not null
       order by device_dt desc limit $5`,
    [deviceId, numbered.number, from, to, atMost],
  )
  rows.reverse()
  return { timesMs: rows.map(({ at }) => Math.floor(at)), values: rows.map(({ value }) => shortestReal(value)) }
}
