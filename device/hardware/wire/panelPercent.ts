/** What a sensor says moves a little also in the dark. */
const LEAST_LIGHT_PERCENT = 2

/**
 * Percent of the light that a panel gave when its sensor was set up; exactly 0 where it gives none.
 *
 * @param dark what the sensor says with the display off; more than `lit` where it says less the more it sees
 */
export function panelPercent(value: number, { dark, lit }: { readonly dark: number; readonly lit: number }): number {
  const percent = Math.round(((value - dark) / (lit - dark)) * 1000) / 10
  return percent < LEAST_LIGHT_PERCENT ? 0 : percent
}
