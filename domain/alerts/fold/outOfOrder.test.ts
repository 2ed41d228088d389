import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type FoldedCondition, foldSample, type Standing } from './alertFold.ts'
import { UNTOUCHED } from './conditionFold.ts'
import { NO_MEMORY, type Sample } from './conditionJudge.ts'
import { takenLate } from './outOfOrder.ts'

const level = { operator: 'GT', threshold: 1 } as const
const condition = fc.record({
  judged: fc.record({
    kind: fc.constant('pair' as const),
    joinedBy: fc.constantFrom('and' as const, 'or' as const),
    sides: fc.constant([level, level] as const),
  }),
  periodMs: fc.constantFrom(0, 3 * MINUTE_MS),
})
/** One side's reading: at the moment of the one before, a little later, or so late that the known one has expired. */
const readings = fc.array(
  fc.record({
    side: fc.nat(1),
    value: fc.constantFrom(0, 2, 2),
    laterMinutes: fc.constantFrom(0, 0.5, 1, 1, 1, 12),
    /** The sample is stored after this many of the following ones. */
    lag: fc.constantFrom(0, 0, 0, 1, 2),
  }),
  { minLength: 2, maxLength: 14 },
)

const sampleOf = (side: number, atMs: number, value: number): Sample => ({
  atMs,
  values: side === 0 ? [value, undefined] : [undefined, value],
})

function newStanding(): Standing {
  return { state: { ...UNTOUCHED }, memory: NO_MEMORY, room: [undefined, undefined] }
}

/** The beginning of the run counts only while the condition waits for its period. */
function whatMatters({ periodMs }: FoldedCondition, { state }: Standing) {
  const { trueSinceMs, alert, isSuppressed } = state
  const isWaiting = periodMs > 0 && alert !== 'active'
  return { alert, isSuppressed, trueSinceMs: isWaiting ? trueSinceMs : trueSinceMs !== undefined }
}

/** Returns the changes if all samples arrive in order, those of a moment together. */
function inOrder(condition: FoldedCondition, samples: readonly Sample[]) {
  const standing = newStanding()
  const changes: string[] = []
  for (const all of Map.groupBy(samples, ({ atMs }) => atMs).values()) {
    const told = (side: 0 | 1) => all.findLast(({ values }) => values[side] !== undefined)?.values[side]
    const sample = { atMs: all[0]?.atMs ?? 0, values: [told(0), told(1)] as const }
    const change = foldSample(condition, standing, sample)
    if (change !== undefined) changes.push(`${change} ${sample.atMs}`)
  }
  return { changes, ...whatMatters(condition, standing) }
}

/** Returns the changes as the evaluator finds them; undefined if the period must be folded again. */
function asTheyCome(condition: FoldedCondition, samples: readonly Sample[]) {
  const standing = newStanding()
  const changes: string[] = []
  let turnedAtMs: number | undefined
  let taken = 0
  for (const sample of samples) {
    const { state } = standing
    const { lastAtMs } = state
    if (lastAtMs !== undefined && sample.atMs <= lastAtMs) {
      const memory = takenLate(condition, standing.memory, { state, turnedAtMs }, sample)
      if (memory === undefined) return undefined
      standing.memory = memory
      taken++
      continue
    }
    const trueSinceMs = state.trueSinceMs
    const change = foldSample(condition, standing, sample)
    const isMoved = change !== undefined || trueSinceMs !== standing.state.trueSinceMs
    turnedAtMs = isMoved ? sample.atMs : (turnedAtMs ?? Number.NEGATIVE_INFINITY)
    if (change !== undefined) changes.push(`${change} ${sample.atMs}`)
  }
  return { followed: { changes, ...whatMatters(condition, standing) }, taken }
}

test('what is taken late ends as if all had come in their order', () => {
  const seen = { taken: 0, again: 0 }
  fc.assert(
    fc.property(condition, readings, (condition, all) => {
      let atMs = 0
      const samples = all.map(({ side, value, laterMinutes, lag }, index) => {
        atMs += laterMinutes * MINUTE_MS
        return { place: index + lag * 1.1, sample: sampleOf(side, atMs, value) }
      })
      const come = [...samples].sort((a, b) => a.place - b.place).map(({ sample }) => sample)
      const outcome = asTheyCome(condition, come)
      if (outcome === undefined) seen.again++
      else {
        seen.taken += outcome.taken
        expect(outcome.followed).toEqual(
          inOrder(
            condition,
            samples.map(({ sample }) => sample),
          ),
        )
      }
    }),
    { numRuns: 20_000 },
  )
  expect(seen.taken).toBeGreaterThan(300)
  expect(seen.again).toBeGreaterThan(500)
})
