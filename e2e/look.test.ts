import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, test } from './support/journey.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page): Promise<string[]> {
  // Evaluated through the debugger, so the page's own policy against foreign scripts stays in force.
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
    type AxeViolation = { id: string; nodes: { html: string }[] }
    const found = await axe.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  })
}

const isScrolledSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

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
      for (const tab of ['status', 'details']) {
        const guid = await page.evaluate(
          () => document.querySelector<HTMLAnchorElement>('a[href$="/details"]')?.href.match(/devices\/([^/]+)/)?.[1],
        )
        await page.goto(`/devices/${guid}/${tab}`)
        await expect(
          page.getByRole('tab', { selected: true }).or(page.locator('[aria-current=page]').last()),
        ).toBeVisible()
        expect(await violations(page)).toEqual([])
        expect(await isScrolledSideways(page)).toBe(false)
        await page.goto('/devices')
        await expect(page.getByRole('link', { name: 'Details' }).first()).toBeVisible()
      }
      for (const path of ['/overview', '/analytics', '/no-such-page']) {
        await page.goto(path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        expect(await violations(page)).toEqual([])
        expect(await isScrolledSideways(page)).toBe(false)
      }
    })
  }
}
