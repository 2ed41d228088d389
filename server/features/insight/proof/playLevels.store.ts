import type pg from 'pg'
import { DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import type { LevelReading, Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { isOfOne } from '#server/db/queries/isOfOne.ts'
import { type ComponentSpan, findSettled, openSpans } from '#server/telemetry/settled/settledDays.ts'
import { believedRows, valueAt } from '#server/telemetry/settled/settledValues.ts'

/** Those parts of a UTC day of a device whose readings say what was at its plays. */
export interface PlayDay {
  readonly deviceId: DeviceId
  readonly displayNumbers: readonly number[]
  /** Separate and in order. */
  readonly windows: readonly Span[]
}

/** The readings of each display, by device and number. */
export type PlayLevels = ReadonlyMap<DeviceId, ReadonlyMap<number, readonly LevelReading[]>>

type LevelRow = readonly [DeviceId, number, number, number | null, number | null]

/** Reads what is settled from files, each day once, and of the rest these windows alone, in one statement. */
export async function readPlayLevels(pool: pg.Pool, days: readonly PlayDay[]): Promise<PlayLevels> {
  const displays = days.flatMap(({ displayNumbers, ...day }) =>
    displayNumbers.map((number) => ({ ...day, eventTypeId: DISPLAY_EVENT_TYPE_ID, number })),
  )
  const settled = await findSettled(
    pool,
    displays.map(({ windows, ...display }) => ({
      ...{ ...display, fromMs: windows[0]?.fromMs ?? 0, toMs: windows.at(-1)?.toMs ?? 0 },
    })),
  )
  const open = openSpans(
    displays.flatMap(({ windows, ...display }) => windows.map((window) => ({ ...display, ...window }))),
    settled.openFromMs,
  )
  const rows = await readOpen(pool, open)
  const levels = new Map<DeviceId, Map<number, LevelReading[]>>()
  const displayOf = (deviceId: DeviceId, number: number) => {
    const its = levels.get(deviceId) ?? new Map<number, LevelReading[]>()
    levels.set(deviceId, its)
    const known = its.get(number) ?? []
    its.set(number, known)
    return known
  }
  for await (const day of settled.days({ fields: ['backlight_level', 'panel_light'], withClaims: true })) {
    const known = displayOf(day.span.deviceId, day.span.number)
    const [reported, measured] = [day.columns.fields.get('backlight_level'), day.columns.fields.get('panel_light')]
    for (const row of believedRows(day, 'oldestFirst')) {
      add(known, Math.floor((day.columns.at[row] as number) / 1000), valueAt(reported, row), valueAt(measured, row))
    }
  }
  for (const [deviceId, number, atMs, reported, measured] of rows)
    add(displayOf(deviceId, number), atMs, reported, measured)
  return levels
}

function add(known: LevelReading[], atMs: number, reported: unknown, measured: unknown): void {
  if (typeof reported === 'number') known.push({ atMs, percent: reported })
  if (typeof measured === 'number') known.push({ atMs, percent: measured, isMeasured: true })
}

/**
 * The outer bounds let the planner skip the tables of other days. Numbers that are compared as an array keep it from
 * reading whole days to merge them with the windows.
 */
async function readOpen(pool: pg.Pool, windows: readonly ComponentSpan[]): Promise<readonly LevelRow[]> {
  if (windows.length === 0) return []
  const isWanted = isOfOne(windows.map(({ deviceId }) => deviceId))
  const { rows } = await pool.query<LevelRow[]>({
    text: `with span as materialized (
        select device_id, number, to_timestamp(from_ms / 1000) as from_at, to_timestamp(to_ms / 1000) as to_at
        from unnest($1::integer[], $2::smallint[], $3::float8[], $4::float8[])
          as span (device_id, number, from_ms, to_ms)
      )
      select r.device_id, r.number, (extract(epoch from r.device_dt) * 1000)::float8, r.backlight_level, r.panel_light
      from span join reading_display r on r.device_id = span.device_id and r.number = any (array[span.number])
        and r.device_dt >= span.from_at and r.device_dt < span.to_at and r.device_dt >= $5 and r.device_dt < $6
        and ${isWanted('r')}
      where ${isBelieved('r.')} and (r.backlight_level is not null or r.panel_light is not null)`,
    values: [
      numberArray(windows.map(({ deviceId }) => deviceId)),
      numberArray(windows.map(({ number }) => number)),
      numberArray(windows.map(({ fromMs }) => fromMs)),
      numberArray(windows.map(({ toMs }) => toMs)),
      new Date(Math.min(...windows.map(({ fromMs }) => fromMs))),
      new Date(Math.max(...windows.map(({ toMs }) => toMs))),
    ],
    rowMode: 'array',
  } as never)
  return rows as unknown as readonly LevelRow[]
}

/** The driver looks for quotes in each value of an array, which takes longer than all else for a thousand plays. */
const numberArray = (numbers: readonly number[]) => `{${numbers.join(',')}}`
