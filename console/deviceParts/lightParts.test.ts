import { expect, test } from 'vitest'
import type { Light } from '#contract/http/insight/darkMinutes.ts'
import { unknownShare } from './lightParts.ts'

const light = (litMinutes: number, unknownMinutes: number): Light => ({
  litMinutes,
  litInOffTimesMinutes: 0,
  plannedDarkMinutes: 0,
  maintenanceMinutes: 0,
  unknownMinutes,
  unplannedDarkMinutes: 0,
  availabilityPercent: null,
})

test.each([
  [0, 0, '0 %'],
  [10_000, 0, '0 %'],
  [10_000, 1, '< 1 %'],
  [99, 1, '1 %'],
  [90, 11, '11 %'],
  [1, 1000, '100 %'],
])('%i minutes lit and %i unknown: %s of the time is unknown', (lit, unknown, share) => {
  expect(unknownShare(light(lit, unknown))).toBe(share)
})
