import { expect, test } from 'vitest'
import { readLocalTime } from './localTime.ts'

test('times are read as people type them, on a clock of 24 hours', () => {
  const typed = ['22:30', '2230', '22.30', '7:05', '705', '7', ' 00:00 ', '23h59']
  expect(typed.map(readLocalTime)).toEqual(['22:30', '22:30', '22:30', '07:05', '07:05', '07:00', '00:00', '23:59'])
})

test('what is no time is not made one', () => {
  expect(['24:00', '22:60', '10 pm', '22:3', 'noon', '', '12345'].map(readLocalTime)).toEqual(Array(7).fill(undefined))
})
