import { LAST_LUX_POSITION, luxAtPosition, positionOfLux } from '#domain/displays/luxScale.ts'
import type { SliderScale } from './RangeField.tsx'

/** The slider's steps follow the eye's sensitivity (rules/setup 7). */
export const LUX_SCALE: SliderScale = {
  lastPosition: LAST_LUX_POSITION,
  positionOf: positionOfLux,
  valueAt: (position) => Math.round(luxAtPosition(position)),
}
