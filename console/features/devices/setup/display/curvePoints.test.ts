import { expect, test } from 'vitest'
import { curvePoints, LUX_MARKS } from './curvePoints.ts'

const CURVE = { minBacklight: 20, maxBacklight: 90, minAmbientLight: 150, maxAmbientLight: 20_000 }

test('a curve bends where the light range begins and ends, also between two steps', () => {
  const points = curvePoints(CURVE)
  expect(points).toContainEqual({ position: 10.5, backlightPercent: 20 })
  expect(
    points.filter(({ position }) => position <= 10.5).every(({ backlightPercent }) => backlightPercent === 20),
  ).toBe(true)
  expect(points.at(-1)).toEqual({ position: 37, backlightPercent: 90 })
  expect(points[0]).toEqual({ position: 0, backlightPercent: 20 })
})

test('a curve never falls and its points go from dark to bright', () => {
  const points = curvePoints(CURVE)
  for (const [index, point] of points.slice(1).entries()) {
    expect(point.position).toBeGreaterThanOrEqual(points[index]?.position ?? 0)
    expect(point.backlightPercent).toBeGreaterThanOrEqual(points[index]?.backlightPercent ?? 0)
  }
})

test('without any light between minimum and maximum the line goes straight up', () => {
  const points = curvePoints({ ...CURVE, minAmbientLight: 1000, maxAmbientLight: 1000 })
  const at = points.filter(({ position }) => position === 19).map(({ backlightPercent }) => backlightPercent)
  expect(at[0]).toBe(20)
  expect(at.at(-1)).toBe(90)
})

test('the scale is marked at its powers of ten, from one end to the other', () => {
  expect(LUX_MARKS.map(({ share }) => Math.round(share * 37))).toEqual([0, 10, 19, 28, 37])
})
