import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from './eventLayout.ts'
import { dayWindows, microsecondsOf, momentOf } from './moments.ts'
import type { RawRowKey, RawRowsQuestion } from './rawRows.ts'

/** Rows of the contract as JSON text with commas between. */
export interface JsonRows {
  readonly rowsJson: string
}

const EXPORT_PAGE = 2000

/**
 * All stored reports, newest first, as the contract writes them: fields under the names of component 1, absent ones left
 * out. The database writes the text, because making objects of a million rows takes several times longer than reading
 * them. A day and a page at a time, so that memory stays the same and a slow reader holds no transaction open.
 */
export async function* exportRawRowsJson(queryable: Queryable, question: RawRowsQuestion): AsyncGenerator<JsonRows> {
  const layout = layoutByTypeId(question.eventTypeId)
  if (layout === undefined) return
  const windows = dayWindows(question.from, question.to)
  const read = async ({ window, after }: Place): Promise<Page> => {
    const { rows } = await queryable.query<[string, number, number]>({
      rowMode: 'array',
      text: pageSql(layout, after),
      values: [
        question.deviceId,
        window.from,
        window.to,
        EXPORT_PAGE,
        ...(after === undefined ? [] : [after.atMicroseconds]),
      ],
    })
    const last = rows.length < EXPORT_PAGE ? undefined : rows.at(-1)
    const next = last
      ? { window, after: { atMicroseconds: last[1], number: last[2] } }
      : firstPlace(windows.next().value ?? undefined)
    return { rowsJson: rows.map(([json]) => json).join(','), next }
  }

  let place = firstPlace(windows.next().value ?? undefined)
  let reading = place && read(place)
  while (reading !== undefined) {
    const { rowsJson, next }: Page = await reading
    place = next
    // The database reads the next page while this one is on its way.
    reading = place && read(place)
    // Whoever stops here never waits for it.
    reading?.catch(() => undefined)
    if (rowsJson !== '') yield { rowsJson }
  }
}

interface Place {
  readonly window: { readonly from: Date; readonly to: Date }
  readonly after: RawRowKey | undefined
}

interface Page extends JsonRows {
  readonly next: Place | undefined
}

const firstPlace = (window: Place['window'] | undefined): Place | undefined => window && { window, after: undefined }

/** One index scan for each component number, merged: the key of the table has the number before the time. */
function pageSql(layout: EventLayout, after: RawRowKey | undefined): string {
  const { type, table } = layout
  const components = type.prefixes.map((_, index) => {
    const number = index + 1
    const behind = after === undefined ? '' : `and device_dt ${number < after.number ? '<=' : '<'} ${momentOf('$5')}`
    return `(select * from ${table} where device_id = $1 and number = ${number}
      and device_dt >= $2 and device_dt < $3 ${behind} order by device_dt desc limit $4)`
  })
  return `select ${rowJson(layout)}, ${microsecondsOf('device_dt')}, number
    from (${components.join(' union all ')}) as merged
    order by device_dt desc, number desc limit $4`
}

/** `concat` leaves out what is null, and with a value its name. */
function rowJson({ type, fields, columns }: EventLayout): string {
  const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const values = fields.map(({ name, storage }, index) => {
    const column = columns[index] ?? ''
    const json = storage === 'text' ? `to_json(${column})::text` : `${column}::text`
    return `',"${type.prefixes[0]}${name}":' || ${json}`
  })
  return `concat(
    '{"device_dt":"', ${moment('device_dt')}, '","inserted":"', ${moment('inserted')}, '","number":', number,
    ',"claimed_at":"' || ${moment('claimed_at')} || '"', ',"extra":' || extra::text, ${values.join(', ')}, '}')`
}
