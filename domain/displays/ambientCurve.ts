/** Controls the backlight by ambient light (rules/setup 8), in percent and lux. */
export interface AmbientCurve {
  readonly minBacklight: number
  readonly maxBacklight: number
  readonly minAmbientLight: number
  readonly maxAmbientLight: number
}

/** Returns the backlight in percent: linear from the minimum to the maximum, constant beyond. */
export function backlightForLight(curve: AmbientCurve, ambientLightLux: number): number {
  const { minBacklight, maxBacklight, minAmbientLight, maxAmbientLight } = curve
  const range = maxAmbientLight - minAmbientLight
  const share = range > 0 ? (ambientLightLux - minAmbientLight) / range : ambientLightLux >= maxAmbientLight ? 1 : 0
  return minBacklight + (maxBacklight - minBacklight) * Math.min(1, Math.max(0, share))
}

/**
 * Returns the error that an operator reads, or undefined: a minimum cannot exceed its maximum (rules/setup 8). Unknown
 * values are not checked, so that a part of a curve can be refused for its own errors.
 */
export function ambientCurveError(curve: Partial<AmbientCurve>): string | undefined {
  const { minBacklight, maxBacklight, minAmbientLight, maxAmbientLight } = curve
  const exceeds = 'The minimum cannot exceed the maximum'
  if (isAbove(minBacklight, maxBacklight)) return `${exceeds}: backlight from ${minBacklight} to ${maxBacklight} %.`
  if (isAbove(minAmbientLight, maxAmbientLight)) {
    return `${exceeds}: ambient light from ${minAmbientLight} to ${maxAmbientLight} lux.`
  }
  return undefined
}

const isAbove = (minimum: number | undefined, maximum: number | undefined) =>
  minimum !== undefined && maximum !== undefined && minimum > maximum
