import { quoted } from '#server/db/partitions/readingTables.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'

const EXTRA = 'coalesce(excluded.extra || t.extra, t.extra, excluded.extra)'

/** Of two readings of one instant the first stays, and the second only fills what it left open. */
export const FILL_LATE = `on conflict (device_id, event_type_id, number, device_dt) do update set
  fields = excluded.fields || t.fields, extra = ${EXTRA}
  where excluded.fields || t.fields <> t.fields or ${EXTRA} is distinct from t.extra`

/** A number as late readings hold it, because JSON knows no negative zero. */
export const jsonNumber = (number: number): number | string => (Object.is(number, -0) ? '-0' : number)

/** SQL expression: the same of a column of `r`. */
function jsonOf({ storage, name }: EventLayout['fields'][number]): string {
  const column = `r.${quoted(name)}`
  if (storage !== 'real') return `to_jsonb(${column})`
  return `case when ${column} = 0 and ${column}::text = '-0' then to_jsonb('-0'::text) else to_jsonb(${column}) end`
}

/** SQL statement: writes some rows to the late readings. @param rows SQL of rows @param condition about the row `r` */
export function moveToLateSql({ type, fields }: EventLayout, rows: string, condition: string): string {
  const pairs = fields.map((field) => `'${field.name}', ${jsonOf(field)}`)
  return `insert into late_reading as t
      (device_id, event_type_id, number, device_dt, inserted, claimed_at, is_corrected, fields, extra)
    select device_id, ${type.id}, number, device_dt, inserted, claimed_at, is_corrected,
      jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')})), extra
    from ${rows} as r where ${condition} ${FILL_LATE}`
}
