import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastOf, faintIn, GROUNDS } from './colourContrast.ts'
import { drawnColour, METRIC_COLOURS } from './metricColours.ts'

test('contrast is that of WCAG, whichever colour is first', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#777777')).toBe(1)
  expect(contrastOf('#00ffd7', '#ffffff')).toBeCloseTo(1.3, 1)
})

test('the offered colours can be seen in both themes; others may not', () => {
  for (const colour of METRIC_COLOURS) expect(faintIn((scheme) => drawnColour(colour, scheme))).toEqual([])
  expect(faintIn(() => '#ffff00')).toEqual(['light'])
  expect(faintIn(() => '#101010')).toEqual(['dark'])
})

test('the grounds are those of the themes', () => {
  const tokens = readFileSync('console/ui/style/tokens.css', 'utf8')
  for (const [scheme, baseMap] of Object.entries(GROUNDS))
    expect(tokens.split(`scheme="${scheme}"`)[1]).toMatch(new RegExp(`^[^}]*--surface: ${baseMap};`))
})
