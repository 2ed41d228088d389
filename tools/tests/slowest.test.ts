import { expect, test } from 'vitest'
import { ROOT } from '../node24.mjs'
import { playwrightTimes, slowestFiles, vitestTimes } from './slowest.ts'

test('the time of a file is that of its tests, of browser tests their sum', () => {
  const vitest = { testResults: [{ name: `${ROOT}domain/a.test.ts`, startTime: 1_000, endTime: 3_500 }] }
  expect(vitestTimes(vitest)).toEqual([{ file: 'domain/a.test.ts', seconds: 2.5 }])
  const specs = [{ tests: [{ results: [{ duration: 400 }, { duration: 600 }] }] }]
  const playwright = { suites: [{ file: 'b.test.ts', specs, suites: [{ file: 'b.test.ts', specs }] }] }
  expect(playwrightTimes(playwright)).toEqual([{ file: 'e2e/b.test.ts', seconds: 2 }])
})

test('the ten slowest files are told, the slowest first, and none where there are only a few', () => {
  const times = Array.from({ length: 12 }, (_, n) => ({ file: `${n}.test.ts`, seconds: n }))
  const lines = slowestFiles(times)
  expect(lines).toHaveLength(11)
  expect(lines.slice(0, 2)).toEqual(['The slowest 10 of 12 files:', '   11.0 s  11.test.ts'])
  expect(lines.at(-1)).toContain('2.test.ts')
  expect(slowestFiles(times.slice(0, 10))).toEqual([])
})
