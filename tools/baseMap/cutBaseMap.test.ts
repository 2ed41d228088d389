import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type BaseMapPoint,
  type BaseMapSquare,
  GROUND_STEPS,
  readLine,
  SQUARE_UNITS,
  squareName,
  WORLD_SQUARE,
} from '#console/ui/map/base/baseMapFormat.ts'
import { cutBaseMap } from './cutBaseMap.ts'
import { projected } from './world.ts'

const TILE_PX = 256
const ZOOM_STEP = 0.25
const MOST_BYTES_OF_VIEW = 150_000
const FINEST = GROUND_STEPS.at(-1)?.squaresZoom ?? 0

const baseMap = cutBaseMap()

function turns(ring: readonly BaseMapPoint[], [x, y]: BaseMapPoint): number {
  let count = 0
  for (const [index, [toX, toY]] of ring.entries()) {
    const [fromX, fromY] = ring.at(index - 1) ?? [0, 0]
    const side = (toX - fromX) * (y - fromY) - (x - fromX) * (toY - fromY)
    if (fromY <= y && toY > y && side > 0) count++
    if (fromY > y && toY <= y && side < 0) count--
  }
  return count
}

function baseMapAt(latitude: number, longitude: number): 'land' | 'lake' | 'sea' {
  const [x, y] = projected([longitude, latitude]).map((at) => at * 2 ** FINEST) as [number, number]
  const square = baseMap.get(squareName(FINEST, Math.floor(x), Math.floor(y)))
  const point: BaseMapPoint = [(x % 1) * SQUARE_UNITS, (y % 1) * SQUARE_UNITS]
  const isIn = (rings: readonly string[] = []) =>
    rings.reduce((sum, text) => sum + turns(readLine(text), point), 0) !== 0
  if (isIn(square?.lakes)) return 'lake'
  return isIn(square?.land) ? 'land' : 'sea'
}

test.each([
  ['Bodø', 67.2804, 14.4049, 'land'],
  ['Lisbon', 38.7167, -9.1333, 'land'],
  ['Venice', 45.4371, 12.3326, 'land'],
  ['Stockholm', 59.3294, 18.0687, 'land'],
  ['Athens', 37.9838, 23.7278, 'land'],
  ['Suva, beside the date line', -18.1416, 178.4415, 'land'],
  ['the Vänern', 58.9, 13.2, 'lake'],
  ['the Caspian Sea', 42, 50.5, 'sea'],
  ['the Vestfjord off Bodø', 67.6, 13.6, 'sea'],
])('%s lies at %d, %d on the %s', (_name, latitude, longitude, expected) => {
  expect(baseMapAt(latitude, longitude)).toBe(expected)
})

test('a screen full of the ground takes at most 150 kB at each zoom', () => {
  const bytes = new Map(
    [...baseMap].map(([name, square]) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 7 }
      return [name, brotliCompressSync(JSON.stringify(square), { params }).length]
    }),
  )
  for (const [index, { squaresZoom }] of GROUND_STEPS.entries()) {
    // A step begins after the last zoom of the one before, where a view shows most squares of it.
    const count = 2 ** squaresZoom
    const zoom = index === 0 ? 2 : (GROUND_STEPS[index - 1]?.closestZoom ?? 0) + ZOOM_STEP
    const sizePx = (TILE_PX * 2 ** zoom) / count
    // The map stands beside the menu and the list, on a screen of 1440 pixels.
    const [across, down] = [790 / sizePx, 740 / sizePx]
    let most = 0
    for (let west = 0; west < count; west += 0.25) {
      for (let north = 0; north < count; north += 0.25) {
        const seen = new Set<string>()
        for (let column = Math.floor(west); column < west + across; column++)
          for (let row = Math.floor(north); row < north + down; row++)
            seen.add(squareName(squaresZoom, column % count, row))
        most = Math.max(
          most,
          [...seen].reduce((sum, name) => sum + (bytes.get(name) ?? 0), 0),
        )
      }
    }
    expect([squaresZoom, most < MOST_BYTES_OF_VIEW]).toEqual([squaresZoom, true])
    expect(most).toBeGreaterThan(MOST_BYTES_OF_VIEW / 3)
  }
})

test('the whole world says which squares there are, and each of its names has room somewhere', () => {
  const { squares } = baseMap.get(WORLD_SQUARE) as BaseMapSquare & { readonly squares: readonly string[] }
  expect(squares).toEqual([...baseMap.keys()].filter((name) => name !== WORLD_SQUARE))
  const names = new Set([...baseMap.values()].flatMap(({ places }) => places.map(([name]) => name)))
  for (const name of ['Bodø', 'Köln', 'Lisbon', 'Athens', 'Venice', 'Stockholm']) expect(names).toContain(name)
})
