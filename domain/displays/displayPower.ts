/** Turning the display on sets the backlight to 100 percent, turning it off to 0 (rules/setup 4). */
export const backlightForPower = (isOn: boolean): number => (isOn ? 100 : 0)

/** The display counts as on when the backlight is above 0; unknown while the backlight is. */
export function isDisplayOn(backlightPercent: number | undefined): boolean | undefined {
  return backlightPercent === undefined ? undefined : backlightPercent > 0
}

/**
 * Returns the notice for an operator who turns a display on or off, or undefined: switching on while automatic
 * backlight is off advises to enable the ambient sensor, switching off while it is on advises to disable it. Without
 * knowledge there is no notice.
 */
export function displayPowerNotice(isOn: boolean, isBacklightAutomatic: boolean | undefined): string | undefined {
  if (isBacklightAutomatic === undefined || isOn === isBacklightAutomatic) return undefined
  return isOn
    ? 'Automatic backlight is off. Enable the ambient sensor to let the ambient light set the backlight.'
    : 'Automatic backlight is on. Disable the ambient sensor to keep the display off.'
}
