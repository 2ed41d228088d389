import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { DAY_MS, SECOND_MS } from '#domain/units/time.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { packed, unpacked } from './closedFile.ts'
import type { DayColumns } from './dayColumns.ts'
import { decodeDay } from './decodeDay.ts'
import { encodeDay } from './encodeDay.ts'

const DAY_START = Date.UTC(2026, 4, 7)
type Value = number | string | null

/** Compares numbers by their bits: a negative zero and what is not a number are values like any. */
function expectSame(found: DayColumns, given: DayColumns): void {
  expect(found.rows).toBe(given.rows)
  expectSameCells('at', found.at, given.at)
  const late = given.inserted.findIndex((at, row) => !(Math.abs((found.inserted[row] ?? 0) - at) <= 50_000))
  expect(late, 'the row of another arrival').toBe(-1)
  for (const column of ['claimedAt', 'isCorrected', 'extra'] as const)
    expectSameCells(column, found[column], given[column])
  expect([...found.fields.keys()]).toEqual([...given.fields.keys()])
  for (const [name, cells] of given.fields) expectSameCells(name, found.fields.get(name), cells)
}

type AnyCells = ArrayLike<unknown> | undefined

/** Only what differs is handed to `expect`, which takes long for a million cells. */
function expectSameCells(name: string, found: AnyCells, given: AnyCells): void {
  expect(found?.length, name).toBe(given?.length)
  const row = listed(given)?.findIndex((value, index) => !Object.is(found?.[index], value)) ?? -1
  if (row >= 0) expect([name, row, found?.[row]]).toEqual([name, row, given?.[row]])
  expect(row, name).toBe(-1)
}

const listed = (cells: AnyCells) => cells && Array.from(cells)

function dayOf(fields: Readonly<Record<string, Value[]>>, more: Partial<DayColumns> = {}): DayColumns {
  const rows = Object.values(fields)[0]?.length ?? 0
  const at = Float64Array.from({ length: rows }, (_, row) => (DAY_START + row * 5 * SECOND_MS) * 1000)
  return {
    rows,
    at,
    inserted: at.map((moment) => moment + 300_000),
    ...{ claimedAt: undefined, isCorrected: undefined, extra: undefined },
    fields: new Map(Object.entries(fields)),
    ...more,
  }
}

const real = Math.fround

test('each kind of values comes back bit for bit', () => {
  const day = dayOf({
    decimals: [real(21.3), real(-0.1), null, real(99.99), 0, real(1e-6)],
    zeros: [0, -0, 0, -0, null, 0],
    notNumbers: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, null, real(0.1)],
    extremes: [real(3.4028234663852886e38), real(1.401298464324817e-45), -real(3.4e38), 16_777_216, 16_777_217, null],
    integers: [2_147_483_647, -2_147_483_648, 0, null, -1, 7],
    longDecimals: [real(123456.79), real(0.12345678), real(-99999.99), 1, 2, 3],
    doubles: [0.1, 0.2, Math.PI, null, 1e300, 5e-324],
    texts: ['', '\ufeffbegins with a mark', 'NaN', 'ö 漢 🚀', null, 'a\nb'],
    once: [null, null, null, 1.5, null, null],
    stuck: [1, 1, 1, 1, 1, 1],
  })
  expectSame(decodeDay(encodeDay(day)), day)
})

test('one reading is a day too, and times keep their microseconds', () => {
  const day = dayOf({ load: [7] }, { at: Float64Array.of(DAY_START * 1000 + 1), inserted: Float64Array.of(0) })
  expectSame(decodeDay(encodeDay(day)), day)
})

test('what is known of claimed times and unknown fields is carried', () => {
  const day = dayOf(
    { load: [7, null, 8] },
    {
      claimedAt: [null, -62_135_596_800_000_000, 253_402_300_799_999_000],
      isCorrected: [null, true, null],
      extra: [null, '{"a": 1e400, "b": "\\u0001"}', null],
    },
  )
  expectSame(decodeDay(encodeDay(day)), day)
})

test('any reader of Parquet finds times, decimals and texts in it', async () => {
  const day = dayOf({ temp: [real(20.1), null], status: ['OL', 'OB'] })
  const rows = await parquetReadObjects({ file: encodeDay(day).slice().buffer })
  expect(rows).toEqual([
    { _device_time: new Date(DAY_START), _arrival_offset: 3, temp: expect.closeTo(20.1, 6), status: 'OL' },
    { _device_time: new Date(DAY_START + 5000), _arrival_offset: 3, temp: null, status: 'OB' },
  ])
})

test('a day is stored packed, and its Parquet file comes out of it as it was', () => {
  const day = dayOf({ temp: Array.from({ length: 1440 }, (_, row) => (row % 7 === 0 ? null : real(row / 10))) })
  const file = encodeDay(day)
  const body = packed(file)
  expect(body.length).toBeLessThan(file.length / 2)
  expect(unpacked(body)).toEqual(Buffer.from(file))
  expectSame(decodeDay(body), day)
})

/** Written when pages were compressed one by one. */
const EARLIER = `UEFSMRUGFSAVMlwVKBUAFSgVChUAFQAAACi1L/0gEIEAAIABBBSAwN/7v2eQTgAAAAAVBhUUFSZcFSgVABUoFQoVABUAAAAotS/9IApRAACAAQQU
BgAAAAAAFQYVJhU4XBUoFQ4VKBUKFQgVAAAAB7ZtCyi1L/0gD3kAAIABBA2SAwIBAAAAqgoAABUEFQwVHkwVAhUAAAAotS/9IAYxAAACAAAAT0wVBhUEFRZc
FSgVABUoFRAVABUAAAAotS/9IAIRAAAAKBUEGVxIBHJvb3QVCAAVBCUAGAxfZGV2aWNlX3RpbWVsjBEcHAAAAAAAFQIlABgPX2Fycml2YWxfb2Zmc2V0ABUC
JQIYBHRlbXAlChUCFRIsXBUCFRIAAAAVDCUAGAZzdGF0dXMlAEwcAAAAFigZHBlMJggcFQQZFQoZGAxfZGV2aWNlX3RpbWUVDBYoFkoWXCYIAAAmZBwVAhkV
ChkYD19hcnJpdmFsX29mZnNldBUMFigWPhZQJmQAACa0ARwVAhkVChkYBHRlbXAVDBYoFlAWYia0AQAAJpYCHBUMGSUAEBkYBnN0YXR1cxUMFigWVBZ4Js4C
JpYCAAAWrAIWKDaGAwAZHBgHd2F5c2lkZRgeeyJ2ZXJzaW9uIjoxLCJhcnJpdmFsX21zIjoxMDB9ABgHV2F5c2lkZRlMHAAAHAAAHAAAHAAAAEcBAABQQVIx`

test('a day that was stored earlier, with compressed pages, is read as ever', () => {
  const body = Buffer.from(EARLIER, 'base64')
  const rows = Array.from({ length: 20 }, (_, row) => row)
  const temp = rows.map((row) => (row % 3 === 0 ? null : real(20 + row / 10)))
  expectSame(decodeDay(body), dayOf({ temp, status: rows.map(() => 'OL') }))
  expect(unpacked(body), 'it goes out as it is').toBe(body)
})

test('numbers that jump between few values are places in a list, and those that wander are steps', () => {
  const random = seededRandom()
  const day = dayOf({
    traffic: Array.from({ length: 1440 }, () => real([3.5, 3.6, 900.1, 1240.7][Math.floor(random() * 4)] ?? 0)),
    temp: walk(random, 1440),
  })
  const file = encodeDay(day)
  const { row_groups } = parquetMetadata(file.slice().buffer)
  const encodings = row_groups[0]?.columns.map(({ meta_data }) => meta_data?.encodings.at(-1))
  expect(encodings?.slice(2)).toEqual(['RLE_DICTIONARY', 'DELTA_BINARY_PACKED'])
  expectSame(decodeDay(packed(file)), day)
})

test('only what is asked for is read', () => {
  const day = dayOf({ load: [7, 8], temp: [real(20.1), null], status: ['OL', 'OB'] }, { extra: ['{}', null] })
  const found = decodeDay(encodeDay(day), { fields: ['temp', 'no_field'] })
  expect([...found.fields.keys()]).toEqual(['temp'])
  expect(listed(found.fields.get('temp'))).toEqual([real(20.1), null])
  expect([found.inserted.length, found.extra]).toEqual([0, undefined])
})

test('any day comes back bit for bit', () => {
  const random = seededRandom()
  for (let day = 0; day < 60; day++) {
    const given = randomDay(random, 1 + Math.floor(random() ** 3 * 4000))
    expectSame(decodeDay(encodeDay(given)), given)
  }
})

/** Sensors that make noise, are stuck or wander; gaps, steps of the clock and fields that come and go. */
function randomDay(random: () => number, rows: number): DayColumns {
  const fields: Record<string, Value[]> = {}
  const kinds = [noise, stuck, walk, words, sparse, bits, oddities, integers, jumps, rarelyOdd]
  const count = 1 + Math.floor(random() * 12)
  for (let index = 0; index < count; index++) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? noise
    const cells = kind(random, rows)
    if (cells.some((cell) => cell !== null)) fields[`field_${index}`] = cells
  }
  if (Object.keys(fields).length === 0) fields.always = Array.from({ length: rows }, () => 1)
  const at = moments(random, rows)
  return dayOf(fields, { at, inserted: arrivals(random, rows), ...(random() < 0.3 && claims(random, at)) })
}

function moments(random: () => number, rows: number): Float64Array {
  const unit = random() < 0.2 ? 1 : 1000
  let at = DAY_START * 1000
  const longest = (DAY_MS * 1000) / (rows + 1)
  return Float64Array.from({ length: rows }, () => {
    at += Math.max(unit, Math.floor((longest * (random() < 0.9 ? 0.5 : random())) / unit) * unit)
    return at
  })
}

const arrivals = (random: () => number, rows: number) =>
  Float64Array.from({ length: rows }, () => (DAY_START + Math.floor((random() - 0.2) * DAY_MS * 80)) * 1000)

/** A device whose clock steps, and that has fields which nobody knows. */
function claims(random: () => number, at: Float64Array): Partial<DayColumns> {
  const steps = Array.from(at, (moment): number | null =>
    random() < 0.5 ? null : moment - Math.floor(random() ** 3 * 6e15),
  )
  if (!steps.some((step) => step !== null)) steps[0] = 0
  return {
    claimedAt: steps,
    isCorrected: steps.map((step, row) => (row === 0 || step !== null ? random() < 0.5 : null)),
    extra: steps.map((_, row) => (row === 0 || random() < 0.1 ? `{"odd": ${random()}, "text": "\u{1f6a6}"}` : null)),
  }
}

const cells = (rows: number, cell: () => Value) => Array.from({ length: rows }, cell)
const noise = (random: () => number, rows: number) => cells(rows, () => real(random() * 100 - 50))
const stuck = (random: () => number, rows: number) => cells(rows, () => (random() < 0.01 ? null : 85))
const sparse = (random: () => number, rows: number) => cells(rows, () => (random() < 0.02 ? real(random()) : null))
const words = (random: () => number, rows: number) =>
  cells(rows, () => (random() < 0.1 ? null : `state ${Math.floor(random() ** 4 * 500)}`))

function walk(random: () => number, rows: number): Value[] {
  const decimals = Math.floor(random() * 4)
  let value = random() * 1000
  return cells(rows, () => {
    value += (random() - 0.5) * 3
    return real(Number(value.toFixed(decimals)))
  })
}

const ODD = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  real(1e-45),
  real(-1e-40),
  real(3.4e38),
]
const oddities = (random: () => number, rows: number) =>
  cells(rows, () => (random() < 0.3 ? null : (ODD[Math.floor(random() * ODD.length)] ?? null)))
const integers = (random: () => number, rows: number) =>
  cells(rows, () => Math.floor((random() - 0.5) ** (random() < 0.5 ? 1 : 9) * 2 ** 32) + 0)

/** Few values that are far from each other. */
function jumps(random: () => number, rows: number): Value[] {
  const few = Array.from({ length: 1 + Math.floor(random() * 300) }, () => real(Math.round(random() * 1e5) / 10))
  return cells(rows, () => (random() < 0.1 ? null : (few[Math.floor(random() * few.length)] ?? null)))
}

/** One value that no scale fits, in a whole day of decimals. */
function rarelyOdd(random: () => number, rows: number): Value[] {
  const values = walk(random, rows)
  values[Math.floor(random() * rows)] = ODD[1 + Math.floor(random() * (ODD.length - 1))] ?? null
  return values
}

/** Any 32 bits are some number. */
function bits(random: () => number, rows: number): Value[] {
  const view = new DataView(new ArrayBuffer(4))
  return cells(rows, () => {
    view.setUint32(0, Math.floor(random() * 2 ** 32))
    return view.getFloat32(0)
  })
}
