import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { turnMail } from './turnRules.ts'

const turned = (turn: number, toldOver: boolean, isOver: boolean, calmMinutes: number) =>
  turnMail({ turn, toldOver, isOver, calmMs: calmMinutes * MINUTE_MS })

test('who knows how things are is told nothing', () => {
  expect(turned(0, false, false, 600)).toBeUndefined()
  expect(turned(3, true, true, 600)).toBeUndefined()
})

test('met again is told at once', () => {
  expect(turned(1, true, false, 0)).toEqual({ tells: 'again' })
})

test.each([
  [0, 5],
  [2, 10],
  [4, 20],
  [6, 40],
  [8, 60],
  [1000, 60],
])('after %i mails over is told when it has lasted for %i minutes', (turn, minutes) => {
  expect(turned(turn, false, true, minutes)).toEqual({ tells: 'over' })
  expect(turned(turn, false, true, minutes - 1)).toEqual({ waitMs: MINUTE_MS })
})
