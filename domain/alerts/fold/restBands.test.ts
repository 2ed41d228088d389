import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meets, OPERATOR_CODES, type OperatorCode } from '../operators.ts'
import { foldSample, type Standing } from './alertFold.ts'
import { UNTOUCHED } from './conditionFold.ts'
import type { JudgedCondition, JudgeMemory } from './conditionJudge.ts'
import { type Guard, guardsOf, RestBands } from './restBands.ts'

const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.1, 0.7, Math.fround(0.7), -0.1, 2 ** 26 + 1, 2 ** 26 + 1.5, 2 ** 26 + 3),
)
const operator = fc.constantFrom(...OPERATOR_CODES)
const comparison = fc.record({ operator, threshold: number })

test('values are within the bands of a field exactly when they meet nothing of it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), comparison), { maxLength: 5 }), fc.nat(1), number, (all, field, value) => {
      const bands = new RestBands(2)
      for (const [of, { operator, threshold }] of all) bands.narrow(of, operator, threshold)
      const isMet = all.some(([of, { operator, threshold }]) => of === field && meets(operator, value, threshold))
      expect(bands.hold(field, value)).toBe(!isMet)
    }),
  )
})

const judged: fc.Arbitrary<JudgedCondition> = fc.oneof(
  comparison.map((of) => ({ kind: 'level' as const, ...of, clearLevel: undefined })),
  fc.record({
    kind: fc.constant('pair' as const),
    joinedBy: fc.constantFrom('and' as const, 'or' as const),
    sides: fc.tuple(comparison, comparison),
  }),
)
const told = fc.option(number, { nil: undefined, freq: 2 })
const minutes = fc.constantFrom(1, 1, 1, 20)

test('a condition at rest stays there while no reading meets one of its guards', () => {
  const seen = { guarded: 0, moved: 0 }
  fc.assert(
    fc.property(judged, fc.array(fc.tuple(minutes, told, told), { maxLength: 12 }), (judged, steps) => {
      const standing: Standing = { state: { ...UNTOUCHED }, memory: [], room: [undefined, undefined] }
      let atMs = 0
      for (const [later, first, second] of steps) {
        atMs += later * 60_000
        const values = [first, judged.kind === 'pair' ? second : undefined] as const
        const guards = guardsOf(judged, standing.state, standing.memory as JudgeMemory)
        const isQuiet = guards?.every((guard) => !isMet(guard, values[guard.side])) ?? false
        const change = foldSample({ judged, periodMs: 0 }, standing, { atMs, values })
        if (isQuiet) seen.guarded++
        if (change !== undefined) seen.moved++
        if (isQuiet) expect([change, standing.state.trueSinceMs]).toEqual([undefined, undefined])
      }
    }),
    { numRuns: 2000 },
  )
  expect(seen.guarded).toBeGreaterThan(100)
  expect(seen.moved).toBeGreaterThan(100)
})

const isMet = ({ operator, threshold }: Guard, value: number | undefined) =>
  value !== undefined && meets(operator, value, threshold)

test('what was changed while both of its fields met it rests on neither', () => {
  const side = { operator: 'GT' as OperatorCode, threshold: 1 }
  const pair = (joinedBy: 'and' | 'or'): JudgedCondition => ({ kind: 'pair', joinedBy, sides: [side, side] })
  const known = (value: number) => ({ atMs: 1000, value, beforeMs: Number.NEGATIVE_INFINITY })
  const state = { ...UNTOUCHED, lastAtMs: 1000 }
  expect(guardsOf(pair('and'), state, [known(2), known(2)])).toBeUndefined()
  expect(guardsOf(pair('and'), state, [known(2), known(0)])).toEqual([{ side: 1, ...side }])
  expect(guardsOf(pair('or'), state, [known(0), known(2)])).toBeUndefined()
  expect(guardsOf(pair('or'), { ...state, lastAtMs: 3_600_000 }, [known(0), known(2)])).toHaveLength(2)
})
