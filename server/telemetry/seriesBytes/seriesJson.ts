import type { DeviceId, FieldId } from '#domain/ids.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { JsonBytes } from './JsonBytes.ts'
import { type BucketCells, numbersOf, type SeriesVisitor } from './SeriesTable.ts'

/** Visits what buckets of devices hold, by time and device. A long question has several, one after the other in time. */
export interface Series {
  readonly each: (visit: SeriesVisitor) => void
}

export interface SeriesQuestion {
  readonly fieldIds: readonly FieldId[]
  readonly withRange: boolean
  /** One row for each bucket, the mean over the devices that reported in it. */
  readonly isGrouped: boolean
}

const OPEN_LIST = 91
const CLOSE_ROW = 125
const NULL = ascii('null')
const ANY_TIME = '0000-00-00T00:00:00.000Z'
const ROW_BEGIN = `,{"time":"${ANY_TIME}"`
const TIME_AT = ROW_BEGIN.indexOf(ANY_TIME)
const HOUR_AT = ANY_TIME.indexOf('T') + 1
const ZERO = 48
const DAY_MINUTES = 1440

/**
 * The rows of the contract as JSON, written byte by byte: objects or even strings for a year of hours would take longer
 * than the database.
 */
export async function* seriesJson(
  slices: AsyncIterable<Series>,
  { fieldIds, withRange, isGrouped }: SeriesQuestion,
): AsyncGenerator<Uint8Array, void> {
  const names = fieldIds.flatMap((id) => (withRange ? [`m_${id}`, `m_${id}_min`, `m_${id}_max`] : [`m_${id}`]))
  const keys = names.map((name) => ascii(`,"${name}":`))
  const fixedBytes = keys.reduce((sum, key) => sum + key.length, 1)
  const json = new JsonBytes()
  const beginOf = createRowBegins(isGrouped)
  const time = createTimeText()
  let timeMs = Number.NaN
  const write: SeriesVisitor = (atMs, deviceId, { bytes, begins, ends }) => {
    if (atMs !== timeMs) time.write(atMs)
    timeMs = atMs
    const begin = beginOf(deviceId)
    let size = begin.length + fixedBytes
    for (let index = 0; index < ends.length; index++) size += lengthOf(begins, ends, index) || NULL.length
    const out = json.room(size)
    let at = json.length
    out.set(begin, at)
    copy(time.text, 0, ANY_TIME.length, out, at + TIME_AT)
    at += begin.length
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? NULL
      at = copy(key, 0, key.length, out, at)
      if (lengthOf(begins, ends, index) === 0) at = copy(NULL, 0, NULL.length, out, at)
      else at = copy(bytes, begins[index] ?? 0, ends[index] ?? 0, out, at)
    }
    out[at++] = CLOSE_ROW
    json.length = at
  }
  let isFirst = true
  for await (const series of slices) {
    ;(isGrouped ? grouped(series, withRange) : series).each(write)
    if (json.length === 0) continue
    if (isFirst) json.room(0)[0] = OPEN_LIST
    isFirst = false
    yield json.take()
  }
  yield ascii(isFirst ? '[]' : ']')
}

/** For a few bytes a loop is faster than `set`. */
function copy(source: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  let place = at
  for (let index = from; index < to; index++) out[place++] = source[index] as number
  return place
}

function ascii(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

/** Writes moments over one another; within a day only hours and minutes are new. */
function createTimeText() {
  const text = new Uint8Array(ANY_TIME.length)
  let day = Number.NaN
  const two = (number: number, at: number) => {
    text[at] = ZERO + Math.floor(number / 10)
    text[at + 1] = ZERO + (number % 10)
  }
  const write = (atMs: number) => {
    const minutes = Math.floor(atMs / MINUTE_MS)
    if (Math.floor(minutes / DAY_MINUTES) !== day) {
      day = Math.floor(minutes / DAY_MINUTES)
      text.set(ascii(new Date(atMs).toISOString()))
    }
    const ofDay = minutes - day * DAY_MINUTES
    two(Math.floor(ofDay / 60), HOUR_AT)
    two(ofDay % 60, HOUR_AT + 3)
  }
  return { text, write }
}

const lengthOf = (begins: Int32Array, ends: Int32Array, index: number) => (ends[index] ?? 0) - (begins[index] ?? 0)

/** What every row of a device begins with, with a comma that the first one loses and a time to be written over. */
function createRowBegins(isGrouped: boolean): (deviceId: DeviceId) => Uint8Array {
  const known = new Map<DeviceId, Uint8Array>()
  return (deviceId) => {
    const found = known.get(deviceId)
    if (found !== undefined) return found
    const begin = ascii(isGrouped ? ROW_BEGIN : `${ROW_BEGIN},"deviceId":${deviceId}`)
    known.set(deviceId, begin)
    return begin
  }
}

/** Every device counts the same, however often it reported. */
function grouped(series: Series, withRange: boolean): Series {
  const combine = withRange ? [meanOf, least, greatest] : [meanOf]
  return {
    each: (visit) => {
      let bucketMs = Number.NaN
      let bucket: (number | undefined)[][] = []
      const visitBucket = () => {
        const [first] = bucket
        if (first === undefined) return
        const combined = first.map((_, index) => {
          const values = bucket.flatMap((numbers) => numbers[index] ?? [])
          return values.length === 0 ? '' : String(combine[index % combine.length]?.(values))
        })
        visit(bucketMs, OF_ALL, cellsOf(combined))
        bucket = []
      }
      series.each((atMs, _deviceId, cells) => {
        if (atMs !== bucketMs) visitBucket()
        bucketMs = atMs
        bucket.push(numbersOf(cells))
      })
      visitBucket()
    },
  }
}

const OF_ALL = 0 as DeviceId

function cellsOf(texts: readonly string[]): BucketCells {
  const ends = new Int32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += text.length
    ends[index] = end
  }
  const begins = ends.map((at, index) => at - (texts[index]?.length ?? 0))
  return { bytes: Buffer.from(texts.join(''), 'latin1'), begins, ends }
}

const meanOf = (values: readonly number[]) => shortestReal(values.reduce((sum, value) => sum + value) / values.length)
const least = (values: readonly number[]) => Math.min(...values)
const greatest = (values: readonly number[]) => Math.max(...values)
