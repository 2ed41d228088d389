import { inspect, isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, SECOND_MS } from '#domain/units/time.ts'
import { makePartitions } from '#server/db/partitions/partitions.ts'
import { decodeDay } from '#server/telemetry/closed/decodeDay.ts'
import { dayFiles } from '#server/telemetry/settled/dayFiles.ts'
import type { WritePath } from '#server/telemetry/write/WritePath.ts'
import { storeReports, UPS } from '#server/testing/devices/telemetryFixture.ts'

const DEVICES = 3
const ROWS = 150
const STEP_MS = 61_003
const LATE_AT_ONCE = 8
/** Reports arrive when their day is old enough to be closed. */
const ARRIVE_AFTER_MS = 6 * DAY_MS

type Reading = Record<string, unknown>
/** By device, component, event type and microsecond. */
type Day = Map<string, Reading>

interface FleetDeps {
  readonly owner: pg.Client
  readonly pool: pg.Pool
  readonly path: WritePath
  readonly firstDayMs: number
  readonly chance: () => number
}

/** JSON has neither a negative zero nor what is not a number. */
const LINE = { breakLength: Number.POSITIVE_INFINITY }

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Readings of a few devices, day by day, with what must be read of them. */
export class ClosedFleet {
  readonly #deps: FleetDeps
  readonly #days = new Map<string, Day>()

  constructor(deps: FleetDeps) {
    this.#deps = deps
  }

  readonly dayAt = (index: number): string => dayText(this.#deps.firstDayMs + index * DAY_MS)

  /** Fills a day with readings of every kind, some of which no report can hold. */
  async fill(day: string): Promise<void> {
    const { owner, pool } = this.#deps
    await makePartitions(owner, new Date(day), 0)
    await owner.query(`select setseed(${this.#deps.chance()})`)
    await owner.query(FILL_UPS_SQL, [day, ROWS, STEP_MS / SECOND_MS, DEVICES])
    await owner.query(FILL_DISPLAY_SQL, [day, ROWS, STEP_MS / SECOND_MS, DEVICES])
    const filled = await readDay(pool, day)
    if (filled.size !== ROWS * DEVICES * 3) throw new Error(`${day} was filled with ${filled.size} readings.`)
    this.#days.set(day, filled)
  }

  /** Sends readings of these days in any order: new instants, known ones again, and what they left open. */
  async writeLate(days: readonly string[]): Promise<void> {
    const { chance, path } = this.#deps
    for (let count = 0; count < LATE_AT_ONCE; count++) {
      const day = days[Math.floor(chance() * days.length)] as string
      const deviceId = (1 + Math.floor(chance() * (DEVICES + 1))) as DeviceId
      const atMs = Date.parse(day) + Math.floor(chance() * ROWS) * STEP_MS + (chance() < 0.3 ? 1 : 0)
      const odd = chance() < 0.3 && { odder: Math.floor(chance() * 9) }
      const values = { load: Math.floor(chance() * 1000) / 10, input_voltage: 230.1, ...odd }
      await storeReports(path, UPS, deviceId, [{ atMs, values }], Date.parse(day) + ARRIVE_AFTER_MS)
      this.#expect(day, `${deviceId} 1 ${UPS.type.id} ${atMs * 1000}`, values)
    }
  }

  /** Writes into the table of a day past the write path, as a process of another version might. */
  async writePast(day: string): Promise<void> {
    const at = new Date(Date.parse(day) + Math.floor(this.#deps.chance() * ROWS) * STEP_MS + 2)
    const [deviceId, load] = [1 + Math.floor(this.#deps.chance() * (DEVICES + 1)), 7.25]
    const { rowCount } = await this.#deps.pool
      .query(
        `insert into reading_look (device_dt, inserted, device_id, u_load) values ($1, now(), $2, $3)
         on conflict do nothing`,
        [at, deviceId, load],
      )
      // There may be no table any more.
      .catch(() => ({ rowCount: 0 }))
    if (rowCount === 1) this.#expect(day, `${deviceId} 1 ${UPS.type.id} ${at.getTime() * 1000}`, { load })
  }

  /** The first of two readings of an instant stays, and the second fills what it left open. */
  #expect(day: string, key: string, values: Reading): void {
    const readings = this.#days.get(day) as Day
    const { odder, ...known } = values
    const told = Object.fromEntries(Object.entries(known).map(([name, value]) => [name, Math.fround(value as number)]))
    const { _extra, ...before } = readings.get(key) ?? {}
    const extra = odder === undefined ? _extra : { odder, ...(_extra as object | undefined) }
    readings.set(key, { ...told, ...before, ...(extra !== undefined && { _extra: extra }) })
  }

  /** @returns what is not read as it must be */
  async wrongOf(days: readonly string[]): Promise<string[]> {
    const wrong: string[] = []
    for (const day of days) {
      const [expected, found] = [this.#days.get(day) as Day, await readDay(this.#deps.pool, day)]
      if (isDeepStrictEqual(found, expected)) continue
      const lost = [...expected.keys()].filter((key) => !found.has(key)).length
      const invented = [...found.keys()].filter((key) => !expected.has(key)).length
      const first = [...expected].find(([key, reading]) => !isDeepStrictEqual(found.get(key), reading))
      const example = first && `${first[0]}: ${inspect(found.get(first[0]), LINE)}, not ${inspect(first[1], LINE)}`
      wrong.push(`${day}: ${lost} lost, ${invented} invented; ${example}`)
    }
    return wrong
  }

  /** Days that are there so far. */
  get days(): readonly string[] {
    return [...this.#days.keys()]
  }
}

/** Reads a day as exports do, wherever it lies. */
async function readDay(pool: pg.Pool, day: string): Promise<Day> {
  const found: Day = new Map()
  for await (const { deviceId, number, layout, body } of dayFiles(pool, { firstDay: day, lastDay: day })) {
    const { rows, at, claimedAt, isCorrected, extra, fields } = decodeDay(body)
    for (let row = 0; row < rows; row++) {
      const reading: Reading = {}
      for (const [name, cells] of fields) if (cells[row] !== null) reading[name] = cells[row]
      const unknown = extra?.[row]
      if (unknown) reading._extra = JSON.parse(unknown)
      if (typeof claimedAt?.[row] === 'number') reading._claimed = claimedAt[row]
      if (isCorrected?.[row]) reading._corrected = true
      found.set(`${deviceId} ${number} ${layout.type.id} ${at[row]}`, reading)
    }
  }
  return found
}

const AT = (i: string) => `$1::date::timestamp at time zone 'UTC' + ${i} * make_interval(secs => $3)`

const FILL_UPS_SQL = `
  insert into reading_look
    (device_dt, inserted, device_id, u_load, u_temp, u_status, u_battery_runtime, u_extra, claimed_at, is_corrected)
  select ${AT('i')}, ${AT('i')} + interval '0.2 s', d,
    case i % 7 when 0 then null when 1 then '-0' when 2 then '1e-45' else i::real / 10 end,
    case i % 50 when 0 then 'NaN' when 1 then '-Infinity' when 2 then '3.4028235e38' else random()::real end,
    case i % 3 when 0 then 'OL' when 1 then 'OB DISCHRG' end,
    case when i % 9 > 0 then 2147483647 - i end,
    case when i % 11 = 0 then jsonb_build_object('odd', i, 'big', 1e300) else '{}' end,
    case when i % 13 = 0 then timestamptz '1971-01-01' + i * interval '1 s' end,
    case when i % 26 = 0 then true end
  from generate_series(0, $2 - 1) i, generate_series(1, $4) d`

const FILL_DISPLAY_SQL = `
  insert into reading_display (device_dt, inserted, device_id, number, backlight_level, source)
  select ${AT('i')}, ${AT('i')} + interval '0.2 s', d, n,
    case when random() < 0.9 then round((random() * 100)::numeric, 1)::real end, 'HDMI' || i % 3
  from generate_series(0, $2 - 1) i, generate_series(1, $4) d, generate_series(1, 2) n`
