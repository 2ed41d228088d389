import { expect, test } from 'vitest'
import { dashesOf, isStroke } from './dashes.ts'

test('lines of one colour differ by their dashes, however the colour is written', () => {
  expect(dashesOf(['#00FFD7', '#feb019', '#00ffd7'])).toEqual([undefined, undefined, [7, 3, 2, 3]])
  const reused = dashesOf(Array(16).fill('#ff19ff'))
  expect(new Set(reused.map(String)).size).toBe(16)
})

test('no reading is dashed as a limit, of strokes alone, or as the week before, of dots alone', () => {
  for (const dash of dashesOf(Array(16).fill('#ff19ff')).slice(1)) {
    const strokes = (dash ?? []).filter((_px, index) => index % 2 === 0)
    expect(new Set(strokes)).toEqual(new Set([7, 2]))
  }
})

test('a dash has strokes and gaps, again and again; a whole line has no gaps', () => {
  const drawn = [0, 6, 7, 9, 10, 17].map((atPx) => isStroke([7, 3], atPx))
  expect(drawn).toEqual([true, true, false, false, true, false])
  expect(isStroke(undefined, 8)).toBe(true)
})
