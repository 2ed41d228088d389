import { expect, test } from 'vitest'
import { seededRandom } from '#testing/seededRandom.ts'
import { COLUMNS, MadeUpCell, type MadeUpDevice, nameOrder, placesEvery, rowsBehind } from './MadeUpCell.ts'
import { comparePlaces, type MergedPlace, mergePages, placeIn, startsFor, stepFor, sumCounts } from './mergePages.ts'

const NAMES = ['Äpfel', 'apfel 2', 'Apfel 10', 'Apfel 02', 'Łódź', 'Öl 99', '😀 roof', '\uff21 wide', '', 'Totem 7']
const ROUNDS = 60

type Dice = () => number

function cellsOf(dice: Dice): MadeUpCell[] {
  const below = (count: number) => Math.floor(dice() * count)
  const maybe = () => (below(4) === 0 ? null : below(3))
  return Array.from({ length: 1 + below(5) }, (_, number) => {
    const devices = Array.from(
      { length: below(40) },
      (__, at): MadeUpDevice => ({
        id: at + 1,
        name: NAMES[below(NAMES.length)] ?? '',
        address: NAMES[below(NAMES.length)] ?? '',
        ranks: {
          model: maybe(),
          status: maybe(),
          connected: maybe(),
          now: maybe(),
          alerts: maybe(),
          lastEvent: maybe(),
        },
      }),
    )
    return new MadeUpCell(number, devices)
  })
}

test('merged pages, one after the other or far behind, are those of one list of all', () => {
  const dice = seededRandom()
  for (let round = 0; round < ROUNDS; round++) {
    const cells = cellsOf(dice)
    const order = {
      sort: COLUMNS[round % COLUMNS.length] ?? 'name',
      isDescending: dice() < 0.5,
    }
    const needle = dice() < 0.3 ? 'apfel' : ''
    const lists = cells.map((cell) => ({ cell: cell.number, list: cell.list(order, needle) }))
    const whole: MergedPlace[] = lists
      .flatMap(({ cell, list }) => list.map((place) => ({ ...place, cell })))
      .sort((one, other) => comparePlaces(one, other, order.isDescending))
    const size = 1 + Math.floor(dice() * 12)

    const read: MergedPlace[] = []
    for (let page: MergedPlace[] | undefined; page === undefined || page.length === size; ) {
      const last = read.at(-1)
      page = mergePages(
        lists.map(({ cell, list }) => ({
          cell,
          rows: rowsBehind(list, last && placeIn(cell, last), size, order.isDescending),
        })),
        size,
        order.isDescending,
      )
      read.push(...page)
    }
    expect(read).toEqual(whole)

    const skip = Math.floor(dice() * (whole.length + 5))
    const step = stepFor(skip, cells.length)
    const samples = lists.map(({ cell, list }) => ({ cell, rows: placesEvery(list, step, skip + size) }))
    const { starts, skipped } = startsFor(samples, { step, skip, isDescending: order.isDescending })
    const wanted = skip - skipped + size
    const rest = starts.map(({ cell, after }, at) => ({
      cell,
      rows: rowsBehind(lists[at]?.list ?? [], after, wanted, order.isDescending),
    }))
    const page = mergePages(rest, wanted, order.isDescending).slice(skip - skipped)
    expect(page).toEqual(whole.slice(skip, skip + size))
  }
})

test('texts stand as the database puts them: by their letters, also beyond 0xffff', () => {
  const names = ['a 10', 'A 2', '😀', '\uff21', 'Ä 3', 'a']
  const places = names.map((name, id) => ({ rank: null, name: nameOrder(name), id, cell: 0 }))
  const sorted = places.sort((one, other) => comparePlaces(one, other, false))
  const bytes = (name: string) => Buffer.from(name)
  expect(sorted.map(({ name }) => name)).toEqual(
    sorted.map(({ name }) => name).toSorted((one, other) => Buffer.compare(bytes(one), bytes(other))),
  )
  expect(sorted.map(({ id }) => names[id])).toEqual(['a', 'A 2', 'Ä 3', 'a 10', '\uff21', '😀'])
})

test('a count of all is unknown when one did not answer or does not know its own', () => {
  expect(sumCounts([2, 3])).toBe(5)
  expect(sumCounts([2, null])).toBeNull()
  expect(sumCounts([2, undefined])).toBeNull()
})
