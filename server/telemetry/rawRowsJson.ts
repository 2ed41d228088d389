import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from './eventLayout.ts'
import { dayWindows, microsecondsOf } from './moments.ts'
import { NEWEST_FIRST, type RawRowKey, rawPageSql, rawPageValues } from './rawPage.ts'
import type { RawRowsQuestion } from './rawRows.ts'

/** Rows of the contract as JSON text with commas between. */
export interface JsonRows {
  readonly rowsJson: string
}

const EXPORT_PAGE = 2000

/**
 * All stored reports, newest first, as the contract writes them: fields under the names of component 1, absent ones left
 * out. The database writes a page as one text, because making objects of a million rows takes longer than reading
 * them. A day and a page at a time, so that memory stays the same and a slow reader holds no transaction open.
 */
export async function* exportRawRowsJson(queryable: Queryable, question: RawRowsQuestion): AsyncGenerator<JsonRows> {
  const layout = layoutByTypeId(question.eventTypeId)
  if (layout === undefined) return
  const windows = dayWindows(question.from, question.to)
  const read = async ({ window, after }: Place): Promise<Page> => {
    const page = { deviceId: question.deviceId, ...window, after, limit: EXPORT_PAGE }
    const { rows } = await queryable.query<[json: string | null, at: number | null, number: number | null]>({
      ...prepared(pageSql(layout, after), rawPageValues(page)),
      rowMode: 'array',
    })
    const [json, atMicroseconds, number] = rows[0] ?? [null, null, null]
    const isFull = atMicroseconds !== null && number !== null
    const next = isFull ? { window, after: { atMicroseconds, number } } : firstPlace(windows.next().value ?? undefined)
    return { rowsJson: json ?? '', next }
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

/** One row: the page as one text, and the key of its last report where it is full. */
const pageSql = (layout: EventLayout, after: RawRowKey | undefined) => `
  select string_agg(${rowJson(layout)}, ',' ${NEWEST_FIRST}),
    case when count(*) = $4 then ${microsecondsOf('min(device_dt)')} end,
    case when count(*) = $4 then (array_agg(number ${NEWEST_FIRST}))[$4::integer] end
  from (${rawPageSql(layout, after)}) as page`

/**
 * `concat` leaves out what is null. It writes numbers itself, which costs half of casting each to text and joining that
 * with its name.
 */
function rowJson({ type, fields, columns }: EventLayout): string {
  const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const values = fields.map(({ name, storage }, index) => {
    const column = columns[index] ?? ''
    const json = storage === 'text' ? `to_json(${column})` : column
    return `case when ${column} is not null then ',"${type.prefixes[0]}${name}":' end, ${json}`
  })
  return `concat(
    '{"device_dt":"', ${moment('device_dt')}, '","inserted":"', ${moment('inserted')}, '","number":', number,
    ',"claimed_at":"' || ${moment('claimed_at')} || '"', ',"extra":' || extra::text, ${values.join(', ')}, '}')`
}
