import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns in short what axe finds wrong with the page.
 *
 * @param about `colours` for a page that was checked whole and only has other colours since
 */
export async function violations(page: Page, about: 'all' | 'colours' = 'all'): Promise<string[]> {
  // The debugger evaluates it, so the page's own policy against foreign scripts stays in force.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } }
    type AxeViolation = { id: string; nodes: { html: string }[] }
    const found = await axe.run({
      resultTypes: ['violations'],
      ...(asked === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  }, about)
}
