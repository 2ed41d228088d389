import { expect, test } from 'vitest'
import type { z } from 'zod'
import { applyAmbientSensorSettings, applyDisplaySettings } from '#contract/http/devices/setup.ts'
import { AMBIENT_NUMBERS, DISPLAY_NUMBERS } from './settingNumbers.ts'

const inCall = (key: string) => `d${key.charAt(0).toUpperCase()}${key.slice(1)}`
const takes = (call: { readonly body: z.ZodObject }, key: string, value: number) =>
  call.body.shape[inCall(key)]?.safeParse(Number(value.toFixed(1))).success

test('sliders of the settings go exactly as far as the calls take them', () => {
  const sliders = [
    ...DISPLAY_NUMBERS.map((setting) => [applyDisplaySettings, setting] as const),
    ...AMBIENT_NUMBERS.map((setting) => [applyAmbientSensorSettings, setting] as const),
  ]
  expect(sliders).toHaveLength(10)
  for (const [call, { key, min, max, step, default: byDefault }] of sliders) {
    const taken = [min - step, min, byDefault, max, max + step].map((value) => takes(call, key, value))
    expect([key, ...taken]).toEqual([key, false, true, true, true, false])
  }
})
