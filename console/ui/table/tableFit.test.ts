import { expect, test } from 'vitest'
import { fittingColumns, neededPx } from './tableFit.ts'

const COLUMNS = [
  { id: 'name' },
  { id: 'address', widthPx: 100, leaves: 1 },
  { id: 'owner', widthPx: 80, leaves: 2 },
  { id: 'state', widthPx: 90 },
]
const shown = (containerPx: number | undefined) => {
  const { columns, fits } = fittingColumns(COLUMNS, neededPx(COLUMNS), containerPx)
  return [columns.map(({ id }) => id).join(' '), fits]
}

test('a table shows all of its columns where they have room, and where its width is not known yet', () => {
  expect(shown(390)).toEqual(['name address owner state', true])
  expect(shown(undefined)).toEqual(['name address owner state', true])
})

test('columns leave in their order until the rest has room', () => {
  expect(shown(389)).toEqual(['name owner state', true])
  expect(shown(290)).toEqual(['name owner state', true])
  expect(shown(289)).toEqual(['name state', true])
})

test('where even the rest has no room, the table says so', () => {
  expect(shown(209)).toEqual(['name state', false])
})
