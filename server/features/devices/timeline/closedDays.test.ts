import { afterEach, beforeEach, expect, test } from 'vitest'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, EventTypeId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { countDays, type DarkPlace, readLevels } from '#server/darkness/dayCounts.ts'
import { fieldsOf, judgedOf, type RequestedRule } from '#server/telemetry/alerts/alertRules.ts'
import { cleanStart, LONG_AGO, samplesAfter, type WatchedRule } from '#server/telemetry/alerts/conditionReadings.ts'
import { readMemories } from '#server/telemetry/alerts/evaluate/conditionMemories.ts'
import { replayRequested } from '#server/telemetry/alerts/replay.ts'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'
import { decodeDay } from '#server/telemetry/closed/decodeDay.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { readFieldReadings } from '#server/telemetry/read/fieldReadings.ts'
import { readMeansOfHours } from '#server/telemetry/read/hourlyMeans.ts'
import type { RawRowKey } from '#server/telemetry/read/rawPage.ts'
import { readRawRows } from '#server/telemetry/read/rawRows.ts'
import { exportRawRowsJson } from '#server/telemetry/read/rawRowsJson.ts'
import { countRawRows } from '#server/telemetry/read/recordCounts.ts'
import type { SeriesStepMinutes } from '#server/telemetry/read/series.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import { readStateAt } from '#server/telemetry/read/stateAt.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { dayFiles } from '#server/telemetry/settled/dayFiles.ts'
import { foldUnmerged } from '#server/telemetry/state/unmerged.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import {
  DISPLAY,
  type SentReport,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import { shiftClock } from '#server/testing/shiftClock.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { readTimesOnBattery } from './timesOnBattery.ts'

let fixture: TelemetryFixture
beforeEach(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
})
afterEach(() => fixture.close())

const NOW = new Date()
const TODAY = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS
/** Three days of readings, of which two are closed and the third is not. */
const [FIRST, OPEN, END] = [TODAY - 4 * DAY_MS, TODAY - 2 * DAY_MS, TODAY - DAY_MS]
const PERIOD = { from: new Date(FIRST), to: new Date(END) }

const idOf = (wireName: string) => NUMBERED_FIELDS.find((one) => one.wireName === wireName)?.id as FieldId
const [LOAD, STATUS, BACKLIGHT, BACKLIGHT_2, PANEL] = [
  'u_load',
  'u_status',
  'd_backlight_level',
  'd2_backlight_level',
  'd_panel_light',
].map(idOf) as [FieldId, FieldId, FieldId, FieldId, FieldId]

const close = async () => {
  const before = new Date(OPEN).toISOString().slice(0, 10)
  expect(await closeDays(fixture.owner, { before, isOver: () => false, rest: () => Promise.resolve() })).toBe(true)
}

interface Sent extends SentReport {
  readonly layout: EventLayout
}

function reports(random: () => number): Sent[] {
  const sent: Sent[] = []
  const real = () => Number((random() * 100).toFixed(Math.floor(random() * 4)))
  for (let atMs = FIRST + 3; atMs < END; atMs += Math.floor(random() ** 4 * 5 * HOUR_MS) + 20_000) {
    if (random() < 0.4) {
      const values = {
        load: real(),
        ...(random() < 0.5 && { status: random() < 0.5 ? 'on line interactive normal' : 'OB' }),
      }
      sent.push({ layout: UPS, atMs, values: { ...values, ...(random() < 0.1 && { odd: real() }) } })
    }
    const number = random() < 0.6 ? 1 : 2
    const panel = random() < 0.3 && { panel_light: real(), source: `HDMI${Math.floor(random() * 3)}` }
    sent.push({ layout: DISPLAY, atMs, number, values: { backlight_level: Math.abs(real()), ...panel } })
  }
  return sent
}

async function store(deviceId: DeviceId, sent: readonly Sent[]): Promise<void> {
  const path = fixture.writePath()
  for (const layout of [UPS, DISPLAY]) {
    const its = sent.filter((report) => report.layout === layout)
    await storeReports(path, layout, deviceId, its)
  }
}

const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item)

const RULES: Record<string, RequestedRule> = {
  level: { kind: 'level', first: { fieldId: LOAD, operator: 'GT', threshold: 60 } },
  text: { kind: 'level', first: { fieldId: STATUS, operator: 'EQ', threshold: 'OB' } },
  pair: {
    kind: 'pair',
    first: { fieldId: LOAD, operator: 'GT', threshold: 40 },
    second: { fieldId: BACKLIGHT, operator: 'GT', threshold: 20 },
  },
  change: { kind: 'change', first: { fieldId: LOAD, operator: 'GT', threshold: 12 }, minutes: 30 },
  absent: { kind: 'absent', first: { fieldId: LOAD, operator: 'GT', threshold: 3 }, minutes: 180 },
}

const ruleOf = (asked: RequestedRule): WatchedRule => ({
  ...{ kind: asked.kind, judged: judgedOf(asked) as WatchedRule['judged'], fields: fieldsOf(asked) ?? [] },
  ...{ periodMs: 0, waitMs: (asked.minutes ?? 0) * MINUTE_MS, isPart: false },
})

/** Everything that is asked about the readings of a device, without what says when they arrived. */
async function answers(deviceId: DeviceId) {
  const { pool } = fixture
  return {
    newest: await readFieldReadings(pool, { deviceId, fieldId: LOAD, ...PERIOD }, 1000),
    some: await readFieldReadings(pool, { deviceId, fieldId: BACKLIGHT, ...PERIOD }, 7),
    ...(await charts(deviceId)),
    states: await Promise.all(
      [FIRST, FIRST + 9 * HOUR_MS, OPEN - 1, OPEN, OPEN + 5 * HOUR_MS, END].map(async (ms) =>
        (await readStateAt(pool, deviceId, new Date(ms))).map(({ numbered, value, at }) => [numbered.id, value, +at]),
      ),
    ),
    ...(await rows(deviceId)),
    ...(await conditions(deviceId)),
    ...(await lightAndPower(deviceId)),
    files: await files(deviceId),
    unmerged: (
      await foldUnmerged(
        { query: (text, values) => pool.query(text, values) },
        [FIRST + 2 * HOUR_MS, FIRST + 7 * HOUR_MS + 1, OPEN - HOUR_MS, OPEN].flatMap((ms) => [
          { device_id: deviceId, event_type_id: 5, number: 1, from_at: new Date(ms), fields: [1, 4] },
          { device_id: deviceId, event_type_id: 4, number: 2, from_at: new Date(ms), fields: [...Array(40).keys()] },
        ]),
      )
    ).map(({ layout, number, newestMs, oldestMs, fields }) => [
      layout.type.id,
      number,
      newestMs,
      oldestMs,
      [...fields],
    ]),
  }
}

async function charts(deviceId: DeviceId) {
  const fieldIds = [LOAD, BACKLIGHT, BACKLIGHT_2, PANEL]
  const series = (stepMinutes: SeriesStepMinutes) =>
    readSeriesRows(fixture.pool, { deviceIds: [deviceId], fieldIds, ...PERIOD, stepMinutes, withRange: true })
  const withoutDevice = async (stepMinutes: SeriesStepMinutes) =>
    (await series(stepMinutes)).map(({ deviceId: _, ...row }) => row)
  const hours = { begin: FIRST / HOUR_MS, end: END / HOUR_MS }
  return {
    fine: await withoutDevice(5),
    hourly: await withoutDevice(60),
    means: [...(await readMeansOfHours(fixture.pool, deviceId, hours))].sort(([a], [b]) => a - b),
  }
}

async function rows(deviceId: DeviceId) {
  const told = (json: string) => ({ ...JSON.parse(json), inserted: undefined })
  const of = (eventTypeId: number) => ({ deviceId, eventTypeId: eventTypeId as EventTypeId, ...PERIOD })
  const pages = []
  for (let after: RawRowKey | undefined, last = 37; last === 37; ) {
    const page = await readRawRows(fixture.pool, { ...of(4), after, limit: 37 })
    pages.push(...page.map(({ key, json }) => [key, told(json)]))
    ;[after, last] = [page.at(-1)?.key, page.length]
  }
  const exported: unknown[] = []
  for (const type of [4, 5]) {
    for await (const { rowsJson } of exportRawRowsJson(fixture.pool, of(type)))
      exported.push(...JSON.parse(`[${rowsJson}]`).map((row: object) => ({ ...row, inserted: undefined })))
  }
  const counts = [await countRawRows(fixture.pool, of(4)), await countRawRows(fixture.pool, of(5))]
  return { pages, exported, counts }
}

/** Every value of every file that is exported, with its moment. */
async function files(deviceId: DeviceId) {
  const [firstDay, lastDay] = [FIRST, END - 1].map((ms) => new Date(ms).toISOString().slice(0, 10)) as [string, string]
  const found = []
  for await (const { layout, number, day, body } of dayFiles(fixture.pool, {
    firstDay,
    lastDay,
    deviceIds: [deviceId],
  })) {
    const { at, fields, extra } = decodeDay(body)
    const columns = Object.fromEntries([...fields].map(([name, cells]) => [name, Array.from(cells)]))
    const unknown = extra && Array.from(extra, (text) => text && JSON.parse(text))
    found.push([layout.type.id, number, day, [...at], columns, unknown])
  }
  return found
}

async function conditions(deviceId: DeviceId) {
  const { pool } = fixture
  const found: Record<string, unknown> = {}
  for (const [name, asked] of Object.entries(RULES)) {
    const rule = ruleOf(asked)
    const deps = { deviceId, rule, countsFrom: new Date(FIRST) }
    const from = new Date(FIRST + 5 * HOUR_MS)
    const state = { lastAtMs: OPEN + HOUR_MS }
    const remembering = ['pair', 'change'].includes(rule.kind) ? [{ deviceId, rule, state }] : []
    const memories = await readMemories(pool, remembering, () => LONG_AGO)
    found[name] = [
      await replayRequested(pool, { deviceId, from: new Date(FIRST), asked, periodId: 1, isPart: false }),
      await samplesAfter(pool, deps, from),
      rule.kind === 'absent' ? [] : await cleanStart(pool, deps, new Date(END - HOUR_MS), []),
      [...memories.values()],
    ]
  }
  return { conditions: found }
}

async function lightAndPower(deviceId: DeviceId) {
  const { pool } = fixture
  const place: DarkPlace = {
    ...{ deviceId, country: undefined, displayNumbers: [1, 2], timeZone: 'Asia/Kathmandu', position: undefined },
    ...{ offTimes: [], dayPlans: [] },
  }
  const dates = [0, 1, 2].map((day) => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10))
  const levels = await readLevels(pool, deviceId, { fromMs: FIRST + HOUR_MS, toMs: OPEN + HOUR_MS })
  const inOrder = [...levels].map(([number, its]) => [number, its.toSorted((a, b) => a.atMs - b.atMs)])
  return {
    levels: Object.fromEntries(inOrder),
    dark: await countDays(pool, place, dates, new Set(), NOW),
    battery: await readTimesOnBattery(pool, deviceId, PERIOD),
  }
}

const refresh = () => refreshRollups(fixture.owner, { now: NOW, isOver: () => false })

test('what is asked about a day has the same answers before it is closed and after, with readings that come late', async () => {
  const random = seededRandom()
  const sent = reports(random)
  const [punctual, late] = [fixture.newDevice(), fixture.newDevice()]
  await store(punctual, shuffled(sent, random))
  const inTime = sent.filter(() => random() < 0.6)
  await store(late, inTime)
  const before = await answers(punctual)
  expect(before.counts).toEqual([DISPLAY, UPS].map((layout) => sent.filter((one) => one.layout === layout).length))

  await close()
  expect((await fixture.owner.query('select from closed_day')).rowCount).toBe(12)
  expect(await answers(punctual), 'closed').toEqual(before)

  // Some come again, and some in two parts of one instant.
  const rest = shuffled(
    sent.filter((one) => !inTime.includes(one) || random() < 0.2),
    random,
  )
  await store(
    late,
    rest.flatMap((one) => (random() < 0.5 ? [one] : parts(one))),
  )
  expect((await fixture.owner.query('select from late_reading')).rowCount).toBeGreaterThan(0)
  expect(await answers(late), 'beside').toEqual(before)

  await close()
  expect((await fixture.owner.query('select from late_reading')).rowCount).toBe(0)
  expect(await answers(late), 'merged').toEqual(before)
})

test('a process whose clock is a year behind finds closed days all the same', async () => {
  const deviceId = fixture.newDevice()
  await store(deviceId, reports(seededRandom()))
  const question = { deviceId, fieldId: LOAD, ...PERIOD }
  const before = await readFieldReadings(fixture.pool, question, 1000)
  await close()
  const setRight = shiftClock(-365 * DAY_MS)
  try {
    expect(await readFieldReadings(fixture.pool, question, 1000)).toEqual(before)
  } finally {
    setRight()
  }
})

function parts({ values, ...report }: Sent): Sent[] {
  return Object.entries(values).map(([name, value]) => ({ ...report, values: { [name]: value } }))
}

test('hours of a closed day are rolled up anew when a reading comes late', async () => {
  const random = seededRandom()
  const sent = reports(random)
  const [punctual, late] = [fixture.newDevice(), fixture.newDevice()]
  await store(punctual, sent)
  const inTime = sent.filter(() => random() < 0.6)
  await store(late, inTime)
  await fixture.mergeState()
  await refresh()
  await close()
  await store(
    late,
    sent.filter((one) => !inTime.includes(one)),
  )
  await fixture.mergeState()
  expect((await charts(late)).hourly, 'stale').toEqual((await charts(punctual)).hourly)
  expect(await refresh()).toBe(true)
  expect(await charts(late), 'refreshed').toEqual(await charts(punctual))
  const rolledUp = async (deviceId: DeviceId) =>
    (
      await fixture.owner.query(
        'select field_id, day::text, means, minima, maxima, counts from rollup where device_id = $1 order by 1, 2',
        [deviceId],
      )
    ).rows
  expect(await rolledUp(late)).toEqual(await rolledUp(punctual))
})

test('while days are being closed their rows are read beside what comes late', async () => {
  const random = seededRandom()
  const sent = reports(random)
  const deviceId = fixture.newDevice()
  await store(deviceId, sent)
  await fixture.owner.query(`update reading_ups set load = '-0' where load < 10`)
  const before = await answers(deviceId)
  const closing = [new Date(FIRST), new Date(OPEN)]
  await fixture.owner.query('update closing_state set closed_before = $1, closing_before = $2', closing)
  expect(await answers(deviceId)).toEqual(before)
})
