import type { AmbientSensorSettings } from './hardware.ts'

/** Backlight in percent that an ambient sensor asks for: straight from the minimum to the maximum, flat beyond. */
export function backlightForLight(
  settings: Pick<AmbientSensorSettings, 'minBacklight' | 'maxBacklight' | 'minAmbientLight' | 'maxAmbientLight'>,
  ambientLightLux: number,
): number {
  const { minBacklight, maxBacklight, minAmbientLight, maxAmbientLight } = settings
  const range = maxAmbientLight - minAmbientLight
  const share = range > 0 ? (ambientLightLux - minAmbientLight) / range : ambientLightLux >= maxAmbientLight ? 1 : 0
  return minBacklight + (maxBacklight - minBacklight) * Math.min(1, Math.max(0, share))
}
