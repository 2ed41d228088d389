import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { newsMail, turnMail } from './turnRules.ts'

const turned = (timesWrong: number, toldOver: boolean, isOver: boolean, calmMinutes: number) =>
  turnMail({ timesWrong, toldOver, isOver, calmMs: calmMinutes * MINUTE_MS })

test('who knows how things are is told nothing', () => {
  expect(turned(0, false, false, 600)).toBeUndefined()
  expect(turned(3, true, true, 600)).toBeUndefined()
})

test('met again is told at once', () => {
  expect(turned(1, true, false, 0)).toEqual({ tells: 'again' })
})

test.each([
  [0, 5],
  [1, 10],
  [2, 20],
  [3, 40],
  [4, 60],
  [1000, 60],
])('after being wrong %i times over is told when it has lasted for %i minutes', (timesWrong, minutes) => {
  expect(turned(timesWrong, false, true, minutes)).toEqual({ tells: 'over' })
  expect(turned(timesWrong, false, true, minutes - 1)).toEqual({ waitMs: MINUTE_MS })
})

test('of an incident somebody is told once, and once more of what is worse than they know', () => {
  const told = { isSent: true, isOver: false, severityId: 2 }
  const news = { severityId: 2, wasMailed: false }
  expect(newsMail({ ...news, last: undefined })).toBe('opened')
  expect(newsMail({ ...news, last: undefined, wasMailed: true })).toBe('again')
  expect(newsMail({ ...news, last: told })).toBeUndefined()
  expect(newsMail({ ...news, severityId: 1, last: told })).toBe('worse')
  // A mail that still waits will say it, and so does the one that it is met again.
  expect(newsMail({ ...news, severityId: 1, last: { ...told, isSent: false } })).toBeUndefined()
  expect(newsMail({ ...news, severityId: 1, last: { ...told, isOver: true } })).toBeUndefined()
})
