import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { newsMail, turnMail } from './mailSchedule.ts'

const turned = (timesWrong: number, toldOver: boolean, isOver: boolean, calmMinutes: number) =>
  turnMail({ timesWrong, toldOver, isOver, calmMs: calmMinutes * MINUTE_MS, hasWoken: false })

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

test('what goes on when its snooze ends is told, and what is over waits for its calm', () => {
  const woken = { timesWrong: 0, calmMs: 0, hasWoken: true }
  expect(turnMail({ ...woken, toldOver: false, isOver: false })).toEqual({ tells: 'still' })
  expect(turnMail({ ...woken, toldOver: false, isOver: true })).toEqual({ waitMs: 5 * MINUTE_MS })
  expect(turnMail({ ...woken, toldOver: true, isOver: true })).toBeUndefined()
})

test('of an incident somebody is told at once of the first and of what is worse, and later of more of the same', () => {
  const told = { is: 'sent', isOver: false, severityId: 2 } as const
  const news = { severityId: 2, isActive: true, wasNamed: false }
  expect(newsMail({ ...news, last: undefined })).toBe('opened')
  expect(newsMail({ ...news, last: undefined, wasNamed: true })).toBe('again')
  expect(newsMail({ ...news, last: told })).toBe('more')
  expect(newsMail({ ...news, last: told, wasNamed: true })).toBeUndefined()
  expect(newsMail({ ...news, severityId: 1, last: told })).toBe('worse')
  // A mail that still waits will name it, earlier where it is worse.
  expect(newsMail({ ...news, severityId: 1, last: { ...told, is: 'waits' } })).toBeUndefined()
  expect(newsMail({ ...news, last: { ...told, is: 'waitsForMore' } })).toBeUndefined()
  expect(newsMail({ ...news, severityId: 1, last: { ...told, is: 'waitsForMore' } })).toBe('worse')
  // What comes after the end is met again, unless it is over itself.
  expect(newsMail({ ...news, last: { ...told, isOver: true } })).toBe('again')
  expect(newsMail({ ...news, isActive: false, last: { ...told, isOver: true } })).toBe('more')
})
