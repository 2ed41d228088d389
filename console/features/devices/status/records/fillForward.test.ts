import { expect, test } from 'vitest'
import { rawRow } from '#contract/http/devices/records.ts'
import { fillForward } from './fillForward.ts'

const NAMES = ['d_humidity', 'd_source']
const report = (minute: number, number: number, values: Record<string, unknown>) =>
  rawRow.parse({
    device_dt: `2026-11-20T09:0${minute}:00Z`,
    inserted: '2026-11-20T09:30:00Z',
    number,
    ...values,
  })

test('a gap has what the same component told last before it, and nothing told is replaced', () => {
  const oldest = report(1, 1, { d_humidity: 40 })
  const other = report(2, 2, { d_humidity: 90, d_source: 'HDMI 2' })
  const gap = report(3, 1, { d_source: 'HDMI 1' })
  const newest = report(4, 1, { d_humidity: 0 })
  const filled = fillForward([newest, gap, other, oldest], NAMES)
  expect(filled.get(newest)?.row).toMatchObject({ d_humidity: 0, d_source: 'HDMI 1' })
  expect([...(filled.get(newest)?.carried ?? [])]).toEqual(['d_source'])
  expect(filled.get(gap)?.row).toMatchObject({ d_humidity: 40, d_source: 'HDMI 1' })
  expect([...(filled.get(gap)?.carried ?? [])]).toEqual(['d_humidity'])
  expect(filled.get(oldest)?.row).toEqual(oldest)
  expect(filled.get(oldest)?.carried.size).toBe(0)
})

test('nothing is carried into or out of a report whose clock was not believed', () => {
  const before = report(1, 1, { d_humidity: 40 })
  const marked = report(2, 1, { d_source: 'HDMI 3', claimed_at: '2030-01-01T00:00:00Z' })
  const after = report(3, 1, {})
  const filled = fillForward([after, marked, before], NAMES)
  expect(filled.get(marked)).toBeUndefined()
  expect(filled.get(after)?.row).toMatchObject({ d_humidity: 40 })
  expect(filled.get(after)?.row).not.toHaveProperty('d_source')
})
