import { type AmbientCurve, backlightForLight } from '#domain/displays/ambientCurve.ts'
import { LAST_LUX_POSITION, LUX_STEPS, luxAtPosition, positionOfLux } from '#domain/displays/luxScale.ts'

export interface CurvePoint {
  readonly position: number
  readonly backlightPercent: number
}

/** Between two steps the scale is linear in lux, so the curve is straight there unless it begins or ends. */
export function curvePoints(curve: AmbientCurve): readonly CurvePoint[] {
  const bends = [curve.minAmbientLight, curve.maxAmbientLight].map(positionOfLux)
  const positions = [...LUX_STEPS.map((_, index) => index), ...bends].sort((a, b) => a - b)
  const points = positions.map((position) => pointAt(curve, position))
  // The backlight jumps where minimum and maximum are equal, so the line goes straight up.
  if (curve.minAmbientLight !== curve.maxAmbientLight) return points
  const jump = positionOfLux(curve.maxAmbientLight)
  const below = { position: jump, backlightPercent: curve.minBacklight }
  const index = points.findIndex(({ position }) => position >= jump)
  return [...points.slice(0, index), below, ...points.slice(index)]
}

const pointAt = (curve: AmbientCurve, position: number): CurvePoint => ({
  position,
  backlightPercent: backlightForLight(curve, luxAtPosition(position)),
})

export const LUX_MARKS = [0, 100, 1_000, 10_000, 100_000].map((lux) => ({
  lux,
  share: positionOfLux(lux) / LAST_LUX_POSITION,
}))
