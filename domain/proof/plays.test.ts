import { expect, test } from 'vitest'
import { MOST_PLAYS, readPlays } from './plays.ts'
import { signedText } from './signedText.ts'

const [GUID, NOON] = ['0b6f4a0e-6f1d-4a1e-9d57-2f0c8d7a9b11', Date.parse('2026-11-01T12:00:00Z')]

test('a list is read by the names of its columns, in any order and with either separator', () => {
  const { plays, problems } = readPlays(
    `\ufeffplay;from;to;device;display\r\n"Fair; ""live""";2026-11-01T13:00:00+01:00;2026-11-01 12:00:15Z;${GUID.toUpperCase()};2\r\n\r\n`,
  )
  expect(problems).toEqual([])
  expect(plays).toEqual([{ device: GUID, display: 2, fromMs: NOON, toMs: NOON + 15_000, name: 'Fair; "live"' }])
})

test('a length stands for an end, and milliseconds since 1970 for a moment, as ad servers write them', () => {
  expect(readPlays(`device,from,seconds\n17,${NOON},10`).plays).toEqual([
    { device: '17', display: undefined, fromMs: NOON, toMs: NOON + 10_000, name: '' },
  ])
})

test.each([
  ['box,2026-11-01T12:00:00Z,10,', 'device is no id and no GUID.'],
  ['17,2026-11-01T12:00:00,10,', 'from is no moment with a time zone, such as 2026-11-01T17:00:00Z.'],
  ['17,2026-02-30T12:00:00Z,10,', 'from is no moment with a time zone, such as 2026-11-01T17:00:00Z.'],
  ['17,2026-11-01T12:00:00Z,ten,', 'seconds is no whole number.'],
  ['17,2026-11-01T12:00:00Z,0,', 'It lasts less than a second.'],
  ['17,2026-11-01T12:00:00Z,90000,', 'It lasts longer than 24 hours.'],
  ['17,2026-11-01T12:00:00Z,10,0', 'display is no number of a display, such as 1.'],
  ['"17,2026-11-01T12:00:00Z,10,', 'A quoted cell does not end on its line.'],
])('the line %s is named with what is wrong', (line, problem) => {
  const read = readPlays(`device,from,seconds,display\n17,2026-11-01T12:00:00Z,10,1\n${line}`)
  expect(read.plays).toHaveLength(1)
  expect(read.problems).toEqual([{ line: 3, problem }])
})

test('a list says which columns it lacks, that it is empty, and that it is too long', () => {
  const lacking = 'The first line names the columns; it lacks device and to or seconds.'
  expect(readPlays('screen,from\n17,1').problems).toEqual([{ line: 1, problem: lacking }])
  expect(readPlays('device,from,to\n\n').problems).toEqual([{ line: 1, problem: 'There is no play below it.' }])
  const { plays, problems } = readPlays(`device,from,seconds\n${`17,${NOON},10\n`.repeat(MOST_PLAYS + 1)}`)
  expect([plays.length, problems]).toEqual([
    MOST_PLAYS,
    [{ line: MOST_PLAYS + 2, problem: 'A list has at most 100,000 plays.' }],
  ])
})

test('what is signed has its names in order and no blanks, however it was written', () => {
  const signed = '{"a":[{"b":"é\\n\\"","c":null}],"b":1}'
  expect(signedText({ b: 1, left: undefined, a: [{ c: null, b: 'é\n"' }] })).toBe(signed)
  expect(signedText(JSON.parse(signed))).toBe(signed)
})
