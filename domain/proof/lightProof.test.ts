import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LevelReading, lightSpans, READING_HOLDS_MS } from '#domain/darkness/minutes/darkMinutes.ts'
import { knownLight, type ProvedPlay, provePlay } from './lightProof.ts'

const reading = fc.record({
  atMs: fc.integer({ min: 0, max: 900_000 }),
  percent: fc.constantFrom(0, 40, 100),
  isMeasured: fc.boolean(),
})
const displays = fc.array(fc.array(reading, { maxLength: 12 }), { minLength: 1, maxLength: 2 })
const period = fc
  .tuple(fc.integer({ min: -60, max: 1000 }), fc.integer({ min: 1, max: 400 }))
  .map(([from, length]) => ({ fromMs: from * 1000, toMs: (from + length) * 1000 }))

/** The newest reading of a kind that still holds, looked up for one second alone. */
function heldAt(readings: readonly LevelReading[], second: number, isMeasured: boolean): boolean | undefined {
  const before = readings
    .filter((one) => one.isMeasured === isMeasured && Math.floor(one.atMs / 1000) <= second)
    .toSorted((a, b) => a.atMs - b.atMs)
    .at(-1)
  if (before === undefined || second - Math.floor(before.atMs / 1000) >= READING_HOLDS_MS / 1000) return undefined
  return before.percent > 0
}

test('each second is as its worst display, and nothing that is unknown is light', () => {
  fc.assert(
    fc.property(displays, period, (all, { fromMs, toMs }) => {
      const counted = { lit: 0, dark: 0, unknown: 0 }
      for (let second = fromMs / 1000; second < toMs / 1000; second++) {
        const lights = all.map((one) => heldAt(one, second, true) ?? heldAt(one, second, false))
        counted[lights.includes(false) ? 'dark' : lights.includes(undefined) ? 'unknown' : 'lit']++
      }
      expect(provePlay(knownLight(all), { fromMs, toMs })).toMatchObject(counted)
    }),
    { numRuns: 500 },
  )
})

test('the seconds of a play add up to its length, and what was measured is among what is known', () => {
  fc.assert(
    fc.property(displays, period, (all, play) => {
      const { lit, dark, unknown, measured } = provePlay(knownLight(all), play)
      expect(lit + dark + unknown).toBe((play.toMs - play.fromMs) / 1000)
      expect(Math.min(lit, dark, unknown, measured)).toBeGreaterThanOrEqual(0)
      expect(measured).toBeLessThanOrEqual(lit + dark)
    }),
  )
})

test('a proof counts light as the minutes of a day do', () => {
  fc.assert(
    fc.property(displays, period, (all, play) => {
      const spans = lightSpans(play, [], all)
      const lit = spans.filter(({ kind }) => kind === 'lit').reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
      expect(provePlay(knownLight(all), play).lit * 1000).toBe(lit)
    }),
  )
})

const at = (seconds: number, percent: number, isMeasured = false): LevelReading => ({
  ...{ atMs: seconds * 1000, percent, isMeasured },
})
const proved = (readings: readonly LevelReading[], from: number, to: number): ProvedPlay =>
  provePlay(knownLight([readings]), { fromMs: from * 1000, toMs: to * 1000 })

test.each<[string, readonly LevelReading[], Partial<ProvedPlay>]>([
  ['measured', [at(0, 60, true)], { verdict: 'lit', certainty: 'high', evidence: 'panelLight', measured: 15 }],
  ['reported', [at(0, 60)], { verdict: 'lit', certainty: 'medium', evidence: 'backlight', measured: 0 }],
  ['reported lit, but measured dark', [at(0, 60), at(0, 0, true)], { verdict: 'dark', certainty: 'high', lit: 0 }],
  ['dark in the middle', [at(0, 60), at(5, 0)], { verdict: 'partlyLit', certainty: 'medium', lit: 5, dark: 10 }],
  ['silent at first', [at(5, 60)], { verdict: 'partlyLit', certainty: 'low', lit: 10, unknown: 5 }],
  ['dark, and silent at first', [at(5, 0)], { verdict: 'dark', certainty: 'low', dark: 10, unknown: 5 }],
  ['both ways', [at(0, 60), at(5, 60, true)], { verdict: 'lit', evidence: 'both', certainty: 'medium', measured: 10 }],
  ['silent', [], { verdict: 'unknown', certainty: 'none', evidence: 'none', lit: 0, dark: 0, unknown: 15 }],
])('%s', (_, readings, said) => {
  expect(proved(readings, 0, 15)).toMatchObject(said)
})
