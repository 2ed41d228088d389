import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { closeDays } from '../telemetry/closed/closeDays.ts'
import { unpacked } from '../telemetry/closed/closedFile.ts'
import { decodeDay } from '../telemetry/closed/decodeDay.ts'
import { WEEK_DAYS } from '../testing/database/keptDays.ts'
import {
  DISPLAY,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '../testing/devices/telemetryFixture.ts'
import { exportReadings } from './exportReadings.ts'

let fixture: TelemetryFixture
let folder: string
beforeAll(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
  folder = await mkdtemp(join(tmpdir(), 'wayside-export-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await fixture.close()
})

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('any period goes out as Parquet and as CSV: closed days as they are, late readings and open days with them', async () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const [closedMs, lateMs, openMs] = [today - 4 * DAY_MS, today - 3 * DAY_MS, today - DAY_MS]
  const [deviceId, other] = [fixture.newDevice(), fixture.newDevice()]
  const path = fixture.writePath()
  const loads = [closedMs, lateMs, openMs].map((ms, index) => ({ atMs: ms + HOUR_MS, values: { load: index + 0.1 } }))
  await storeReports(path, UPS, deviceId, loads)
  await storeReports(path, DISPLAY, other, [
    { atMs: openMs, number: 2, values: { source: 'a "b",\nc', odd: 1 } },
    { atMs: openMs + HOUR_MS, number: 2, values: { source: '=1+1' } },
  ])
  const before = dayText(today - 2 * DAY_MS)
  await closeDays(fixture.owner, { before, isOver: () => false, rest: () => Promise.resolve() })
  await storeReports(path, UPS, deviceId, [{ atMs: lateMs + 2 * HOUR_MS, values: { status: 'OB', load: 7 } }])

  // Years without any take no time.
  const period = { firstDay: '1970-01-01', lastDay: '2199-12-31' }
  expect(await exportReadings(fixture.pool, { ...period, folder, format: 'parquet' })).toBe(4)
  const bytes = (ms: number) => readFile(join(folder, String(deviceId), 'ups-1', `${dayText(ms)}.parquet`))
  const loadsOf = async (ms: number) => Array.from(decodeDay(await bytes(ms)).fields.get('load') ?? [])
  expect(await Promise.all([closedMs, lateMs, openMs].map(loadsOf))).toEqual([
    ...[[Math.fround(0.1)], [Math.fround(1.1), 7], [Math.fround(2.1)]],
  ])
  const { rows } = await fixture.owner.query<{ body: Buffer }>('select body from closed_day where day = $1', [
    dayText(closedMs),
  ])
  expect(await bytes(closedMs)).toEqual(unpacked(rows[0]?.body ?? Buffer.alloc(0)))

  expect(await exportReadings(fixture.pool, { ...period, folder, format: 'csv', deviceIds: [other] })).toBe(1)
  const files = join(folder, String(other), 'display-2')
  expect((await readdir(files)).sort()).toEqual([`${dayText(openMs)}.csv`, `${dayText(openMs)}.parquet`])
  const csv = await readFile(join(files, `${dayText(openMs)}.csv`), 'utf8')
  expect(csv.split('\r\n')[0]).toBe('device_dt,inserted,claimed_at,is_corrected,d2_source,extra')
  expect(csv, 'no formula (rules/formats 3)').toContain(",'=1+1,")
  expect(csv).toContain('"a ""b"",\nc","{""odd"": 1}"')
})
