import { expect, test } from 'vitest'
import { CALLS } from './table.ts'

const ASKING = /\/(Get|Check|Compare|Preview|Watch)[A-Z]?/

test('every call but those whose name asks for something says what it changes, so that each use leaves an audit row', () => {
  expect(CALLS.filter(({ path, changes }) => ASKING.test(path) === (changes !== undefined))).toEqual([])
})

test('every call that changes nothing says whose change makes its answer old, and no other does', () => {
  const isReading = ({ changes, answersWith }: (typeof CALLS)[number]) => !changes && answersWith !== 'event-stream'
  expect(CALLS.filter((call) => isReading(call) !== (call.shows !== undefined)).map(({ path }) => path)).toEqual([])
})
