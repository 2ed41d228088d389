import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockSamples, foldSample, type Standing } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import { judge, NO_MEMORY, type Sample } from '#domain/alerts/fold/conditionJudge.ts'
import { takenLate } from '#domain/alerts/fold/outOfOrder.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { SeenReports } from '#server/telemetry/ingress/seenReports.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { type AlertProcesses, alertProcesses } from '#server/testing/devices/alertProcesses.ts'
import { UPS } from '#server/testing/devices/telemetryFixture.ts'
import { type AlertRule, AlertRules } from '../alertRules.ts'
import { AlertEvaluator } from './AlertEvaluator.ts'
import { Told } from './gatheredSamples.ts'

const LOAD = 5104
const TEMP = 5108
const second = (value: number, operator = 'GT') => ({
  ...{ kind: 'pair', second_field_id: TEMP, second_operator_code: operator, second_value_dec: value },
})
const CONDITIONS: readonly Readonly<Record<string, unknown>>[] = [
  { operator_code: 'GT', value_dec: 60 },
  { operator_code: 'GT', value_dec: 58, clear_dec: 50, period_id: 2 },
  { operator_code: 'LTE', value_dec: 45 },
  { operator_code: 'EQ', value_dec: 55.5 },
  { operator_code: 'NEQ', value_dec: 0, period_id: 2 },
  { operator_code: 'EQ', value_text: '61' },
  { operator_code: 'GT', value_dec: 55, joined_by: 'and', ...second(40) },
  { operator_code: 'GTE', value_dec: 45, joined_by: 'and', ...second(39, 'LTE'), period_id: 2 },
  { operator_code: 'LT', value_dec: 50, joined_by: 'or', ...second(45) },
  { kind: 'change', operator_code: 'GT', value_dec: 12, minutes: 5 },
]

let processes: AlertProcesses
let deviceId: DeviceId
let rules: AlertRules
let own: readonly AlertRule[]
beforeAll(async () => {
  processes = await alertProcesses(1)
  deviceId = await processes.newDevice()
  for (const columns of CONDITIONS) {
    const all = { device_id: deviceId, field_id: LOAD, ...columns }
    await processes.fixture.pool.query(
      `insert into alert_condition (${Object.keys(all).join(', ')})
       values (${Object.keys(all)
         .map((_, index) => `$${index + 1}`)
         .join(', ')})`,
      Object.values(all),
    )
  }
  rules = await AlertRules.read(processes.fixture.pool)
  own = rules.of({ id: deviceId, modelId: 1 as never, customerId: 1 as never, tagKeys: [] })
}, 120_000)
afterAll(() => processes.close())

/** One condition that is judged by every report, without any saving of work. */
class Plain {
  readonly rule: AlertRule
  #standing: Standing = { state: { ...UNTOUCHED }, memory: NO_MEMORY, room: [undefined, undefined] }
  #turnedAtMs: number | undefined

  constructor(rule: AlertRule) {
    this.rule = rule
  }

  copy(): Plain {
    const copy = new Plain(this.rule)
    copy.#standing = { ...structuredClone(this.#standing), room: [undefined, undefined] }
    copy.#turnedAtMs = this.#turnedAtMs
    return copy
  }

  /** @returns what follows, in words */
  look(report: CheckedReport): string[] {
    const told = new Told()
    if (!told.by(report, this.rule)) return []
    const { judged, id } = this.rule
    const { atMs } = report
    const sample = { atMs, values: [...told.values] as const }
    const { state, memory } = this.#standing
    const wasTrue = state.trueSinceMs !== undefined
    const { lastAtMs } = state
    if (lastAtMs !== undefined && atMs <= lastAtMs) {
      const isAgain = this.rule.fields.length === 1 && atMs === lastAtMs
      if (isAgain && judge(judged, memory, wasTrue, sample).isTrue === wasTrue) return []
      const taken = takenLate(this.rule, memory, { state, turnedAtMs: this.#turnedAtMs }, sample)
      if (taken) this.#standing.memory = taken
      return taken ? [] : [`${id} late from ${atMs}`]
    }
    // What the clock ended since the last reading has ended before this one is judged.
    return [...clockSamples(this.rule, this.#standing, atMs), sample].flatMap((moment) => this.#fold(moment))
  }

  #fold(sample: Sample): string[] {
    const { trueSinceMs } = this.#standing.state
    const change = foldSample(this.rule, this.#standing, sample)
    const isMoved = change !== undefined || trueSinceMs !== this.#standing.state.trueSinceMs
    this.#turnedAtMs = isMoved ? sample.atMs : (this.#turnedAtMs ?? Number.NEGATIVE_INFINITY)
    return change === undefined ? [] : [`${this.rule.id} ${change} at ${sample.atMs}`]
  }
}

function saidBy(desk: AlertEvaluator): string[] {
  return desk.steps().flatMap(({ sql }) => {
    const moved = /move_alerts\('(.*)'::jsonb/s.exec(sql)?.[1]
    if (moved !== undefined) {
      const rows = JSON.parse(moved) as { condition_id: number; events: { kind: string; at: string }[] }[]
      return rows.flatMap(({ condition_id, events }) =>
        events.map(({ kind, at }) => `${condition_id} ${kind} at ${Date.parse(at)}`),
      )
    }
    if (!sql.includes('alert_refold')) return []
    return [...sql.matchAll(/\(\d+,(\d+),'([^']+)'\)/g)].map(([, id, at]) => `${id} late from ${Date.parse(at ?? '')}`)
  })
}

const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 1200 * MINUTE_MS
/** Mostly gives the first value, of which nothing follows. */
const often = (first: number, ...others: readonly number[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const report = fc.record({
  /** A 0 repeats the last moment. */
  minutes: fc.constantFrom(1, 1, 1, 1, 1, 1, 0, -0.5, -1.5, -2.5, -1, 25),
  load: fc.option(often(52, 40, 45, 48, 50, 55.5, 57, 61), { nil: undefined, freq: 2 }),
  temp: fc.option(often(30, 39, 42, 46), { nil: undefined, freq: 2 }),
})
const batch = fc.record({
  reports: fc.array(report, { maxLength: 3 }),
  isLost: fc.constantFrom(false, false, false, true),
})

function reportsOf(all: readonly { minutes: number; load?: number | undefined; temp?: number | undefined }[]) {
  const indexOf = (name: string) => UPS.indexByName.get(name) ?? 0
  return (fromMinute: number): CheckedReport[] => {
    let minute = fromMinute
    return all.map(({ minutes, load, temp }) => {
      minute += minutes
      const atMs = start + minute * MINUTE_MS
      const numbers = [...UPS.noNumbers]
      numbers[indexOf('load')] = load ?? Number.NaN
      numbers[indexOf('temp')] = temp ?? Number.NaN
      const none = {
        claimedAtMs: undefined,
        isBelieved: true,
        clockErrorMs: undefined,
        texts: undefined,
        extra: undefined,
      }
      return { deviceId, layout: UPS, number: 1, atMs, receivedAtMs: atMs + 100, numbers, valueCount: 2, ...none }
    })
  }
}

test('whatever is spared of judging, the same follows as when every report is judged by every condition', async () => {
  const seen = { moves: 0, late: 0, quiet: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 10, maxLength: 40 }), async (batches) => {
      const desk = new AlertEvaluator({ current: () => rules, refresh: () => Promise.resolve() })
      const track = new SeenReports(deviceId, UPS, 1)
      let plain = own.map((rule) => new Plain(rule))
      let minute = 0
      for (const { reports, isLost } of batches) {
        const told = reportsOf(reports)(minute)
        // A batch has the reports of one component in the order of their times, none twice.
        const oldestFirst = [...new Map(told.map((one) => [one.atMs, one])).values()].sort((a, b) => a.atMs - b.atMs)
        await desk.prepare(
          processes.fixture.pool,
          oldestFirst.length > 0 ? oldestFirst : reportsOf([{ minutes: 0 }])(0),
        )
        for (const one of oldestFirst) desk.seemsToChange(one)
        desk.look(track, oldestFirst)
        const looking = plain.map((one) => one.copy())
        const expected = looking.flatMap((one) => earliestLate(oldestFirst.flatMap((told) => one.look(told))))
        const said = saidBy(desk)
        expect(said.sort()).toEqual(expected.sort())
        seen.moves += expected.filter((words) => !words.includes('late')).length
        seen.late += expected.filter((words) => words.includes('late')).length
        seen.quiet += expected.length === 0 ? 1 : 0
        if (isLost) desk.abandon()
        else {
          desk.remember()
          plain = looking
          minute = Math.max(minute, ...oldestFirst.map(({ atMs }) => (atMs - start) / MINUTE_MS))
        }
      }
    }),
    { numRuns: 400, endOnFailure: true },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500)
}, 120_000)

/** One dirty range says where the fold begins. */
function earliestLate(said: readonly string[]): string[] {
  const [late, other] = [
    said.filter((words) => words.includes('late')),
    said.filter((words) => !words.includes('late')),
  ]
  return [...late.sort().slice(0, 1), ...other]
}
