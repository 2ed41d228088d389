import { expect, test } from 'vitest'
import { withRoom } from './placeNames.ts'

const place = { name: 'Bodø', x: 100, y: 100, isCapital: false, fromZoom: 5 }
const box = (left: number, right: number, top: number, bottom: number) => ({ left, right, top, bottom })

test('a name goes where no pin covers it, and away where it has no room', () => {
  const sideBeside = (...pins: ReturnType<typeof box>[]) => withRoom([place], pins)[0]?.side
  const right = box(115, 130, 95, 105)
  expect(sideBeside()).toBe('right')
  expect(sideBeside(right)).toBe('left')
  expect(sideBeside(right, box(70, 85, 95, 105))).toBe('above')
  expect(sideBeside(box(90, 110, 90, 110))).toBeUndefined()
})

test('the larger town has its name first', () => {
  const larger = { ...place, name: 'Large', x: 104, fromZoom: 3 }
  expect(withRoom([place, larger], []).map(({ name, side }) => [name, side])).toEqual([['Large', 'right']])
})
