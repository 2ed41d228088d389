import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { expect, test } from './support/journey.ts'

const isScrolledSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Tabs of a device, each with a word that it shows when its data has come. */
const TABS = [
  ['status', 'Uptime'],
  ['details', 'Time zone'],
  ['setup', 'Display settings'],
  ['device-components', 'Add new'],
  ['alerts', 'None selected'],
  ['maintenance', 'Add new'],
] as const

for (const theme of ['dark', 'white'] as const) {
  for (const width of [1440, 1024, 390]) {
    test(`every screen is accessible and fits, ${theme}, ${width} px`, async ({ page, signInAs }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript((name) => localStorage.setItem('wayside.theme', name), theme)
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
      expect(await violations(page)).toEqual([])
      await signInAs('admin')
      await page.goto('/devices')
      await expect(page.getByRole('link', { name: 'Details' }).first()).toBeVisible()
      expect(await violations(page)).toEqual([])
      expect(await isScrolledSideways(page)).toBe(false)
      for (const [tab, sign] of TABS) {
        const guid = await page.evaluate(
          () => document.querySelector<HTMLAnchorElement>('a[href$="/details"]')?.href.match(/devices\/([^/]+)/)?.[1],
        )
        await page.goto(`/devices/${guid}/${tab}`)
        await expect(page.getByText(sign).first()).toBeVisible()
        expect(await violations(page)).toEqual([])
        expect(await isScrolledSideways(page)).toBe(false)
        await page.goto('/devices')
        await expect(page.getByRole('link', { name: 'Details' }).first()).toBeVisible()
      }
      for (const path of [
        '/overview',
        '/locations',
        '/analytics',
        '/alerts',
        '/thresholds',
        '/audit-log',
        '/reset-password',
        '/no-such-page',
      ]) {
        await page.goto(path)
        // The headings of the menu are there before those of the page.
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await violations(page)).toEqual([])
        expect(await isScrolledSideways(page)).toBe(false)
      }
    })
  }
}
