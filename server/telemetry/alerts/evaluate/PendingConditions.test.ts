import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldSample } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import { type JudgeMemory, NO_MEMORY, remember } from '#domain/alerts/fold/conditionJudge.ts'
import { takenLate } from '#domain/alerts/fold/outOfOrder.ts'
import type { DeviceId } from '#domain/ids.ts'
import { judgedOf, type RequestedRule } from '../alertRules.ts'
import { PendingConditions } from './PendingConditions.ts'
import type { WatchedCondition } from './WatchedCondition.ts'

const side = { fieldId: 4101, operator: 'GT', threshold: 50 } as RequestedRule['first']
const judged = judgedOf({ kind: 'pair', first: side, second: side, joinedBy: 'and' })
if (!judged) throw new Error('There is no pair.')
const rule = { judged, periodMs: 0 } as WatchedCondition['rule']
const newCondition = (index: number): WatchedCondition => ({
  deviceId: index as DeviceId,
  rule,
  isMailed: false,
  version: 0,
  state: { ...UNTOUCHED },
  memory: NO_MEMORY,
  heard: { lastMs: 0, beforeMs: undefined, foundMs: undefined },
  turnedAtMs: undefined,
  openAlertId: undefined,
  room: undefined,
  pendingAt: -1,
})

const value = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined, freq: 2 })
const step = fc.oneof(
  fc.record({ of: fc.nat(2), lateBy: fc.nat(2), values: fc.tuple(value, value) }),
  fc.constantFrom('kept', 'dropped'),
)

test('what conditions remember is theirs, whatever batches of others are kept or fail', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 90 }), (steps) => {
      const pending = new PendingConditions()
      const conditions = [0, 1, 2].map(newCondition)
      let kept: JudgeMemory[] = conditions.map(() => NO_MEMORY)
      let expected = [...kept]
      for (const [index, one] of steps.entries()) {
        if (one === 'kept') {
          pending.keep()
          kept = [...expected]
        } else if (one === 'dropped') {
          pending.drop()
          expected = [...kept]
        } else {
          const condition = conditions[one.of] as WatchedCondition
          const memory = expected[one.of] as JudgeMemory
          const sample = { atMs: (index - one.lateBy) * 1000 + 500 * Math.min(one.lateBy, 1), values: one.values }
          const standing = pending.of(condition)
          if (one.lateBy === 0) {
            foldSample(rule, standing, sample)
            expected[one.of] = remember(judged, memory, sample)
          } else {
            const stood = { state: { ...UNTOUCHED, lastAtMs: index * 1000 }, turnedAtMs: Number.NEGATIVE_INFINITY }
            standing.memory = takenLate(rule, standing.memory, stood, sample) ?? standing.memory
            expected[one.of] = takenLate(rule, memory, stood, sample) ?? memory
          }
        }
        expect(conditions.map(({ memory }) => memory)).toEqual(kept)
        expect(conditions.map((condition) => (pending.known(condition) ?? condition).memory)).toEqual(expected)
      }
    }),
  )
})
