import { LAST_LUX_POSITION, luxAtPosition, positionOfLux } from '#domain/displays/luxScale.ts'
import type { SliderScale } from './RangeField.tsx'

/** Ambient light on a slider, in steps that follow the eye (rules/setup 7). */
export const LUX_SCALE: SliderScale = {
  lastPosition: LAST_LUX_POSITION,
  positionOf: positionOfLux,
  valueAt: (position) => Math.round(luxAtPosition(position)),
}
