import { expect, test } from 'vitest'
import { CALLS } from './table.ts'

const ASKING = /\/(Get|Check|Compare|Preview|Watch)[A-Z]?/

test('every call but those whose name asks for something says what it changes, so that each use leaves an audit row', () => {
  expect(CALLS.filter(({ path, changes }) => ASKING.test(path) === (changes !== undefined))).toEqual([])
})
