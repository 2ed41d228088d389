import { expect, type Page } from '@playwright/test'
import { violations } from './axe.ts'

type Theme = 'dark' | 'white'

const WIDTHS = [1440, 1024, 390]
const HEIGHT = 900

export interface Looks {
  /**
   * Checks the page at every width, and at the widest in both themes: axe finds nothing, and nothing is cut off at the
   * side. In the second theme only colours are new, and between the widest and the narrowest nothing is new but the room.
   *
   * @param inEach runs in each look afterwards
   */
  check(what: string, inEach?: (theme: Theme, width: number) => Promise<void>): Promise<void>
}

/**
 * Changes a page as its user would: the window becomes wider or narrower, and the theme follows another tab. Each check
 * begins with the look in which the last one ended, so that pages also load wide and narrow, dark and light.
 */
export async function startLooks(page: Page, { widths = WIDTHS, height = HEIGHT } = {}): Promise<Looks> {
  const otherTab = await page.context().newPage()
  await otherTab.goto('/theme.js')
  let shownWidths = widths
  const html = page.locator('html')

  const shownTheme = async (): Promise<Theme> =>
    (await html.getAttribute('data-mantine-color-scheme')) === 'light' ? 'white' : 'dark'
  const choose = async (theme: Theme) => {
    await otherTab.evaluate((name) => localStorage.setItem('wayside.theme', name), theme)
    await expect.poll(shownTheme).toBe(theme)
    await drawnAgain(page)
  }

  await page.setViewportSize({ width: widths[0] ?? 0, height })
  return {
    async check(what, inEach) {
      // A tab behind another one draws no frames.
      await page.bringToFront()
      for (const width of shownWidths) {
        await page.setViewportSize({ width, height })
        await drawnAgain(page)
        const isWidest = width === Math.max(...widths)
        const isBetween = !isWidest && width !== Math.min(...widths)
        const first = await shownTheme()
        for (const theme of isWidest ? [first, other(first)] : [first]) {
          if (theme !== first) await choose(theme)
          const look = `${what}, ${theme}, ${width} px`
          await expect.poll(() => isScrolledSideways(page), look).toBe(false)
          if (!isBetween) expect(await violations(page, theme === first ? 'all' : 'colours'), look).toEqual([])
          await inEach?.(theme, width)
        }
      }
      shownWidths = shownWidths.toReversed()
    },
  }
}

/** Waits until everything has adapted to the window or to a scrolled list. */
export const drawnAgain = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

const other = (theme: Theme): Theme => (theme === 'dark' ? 'white' : 'dark')

const isScrolledSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
