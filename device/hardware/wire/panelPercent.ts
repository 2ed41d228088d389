/** The value of a sensor varies a little even in the dark. */
const LEAST_LIGHT_PERCENT = 2

/**
 * Returns the percentage of the light that a panel gave when its sensor was set up; exactly 0 if it gives none.
 *
 * @param dark the sensor's value with the display off; greater than `lit` if the value falls with more light
 */
export function panelPercent(value: number, { dark, lit }: { readonly dark: number; readonly lit: number }): number {
  const percent = Math.round(((value - dark) / (lit - dark)) * 1000) / 10
  return percent < LEAST_LIGHT_PERCENT ? 0 : percent
}
