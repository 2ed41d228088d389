import type { Page } from '@playwright/test'
import { PAGE_PERMISSIONS } from '../../console/app/navigation/pagePermissions.ts'
import { expect, test } from '../support/journey.ts'

const MOST_IN_A_HEADER = 3
/** These show a record, which their address has to name. */
const OF_A_RECORD = ['/alerts/alert-details', '/incidents/incident', '/users/user-details', '/profile']
const PATHS = Object.keys(PAGE_PERMISSIONS).filter((path) => !path.includes('$') && !OF_A_RECORD.includes(path))
const TABS = ['status', 'details', 'setup', 'device-components', 'alerts', 'maintenance']

/** The menu of settings holds what the three leave, so it is not counted. */
const buttonsIn = (page: Page, where: string) =>
  page.locator(where).locator('button:not([aria-label^="More actions for"]), a').filter({ visible: true })
const primaryOn = (page: Page) =>
  page
    .locator('main')
    .locator('button[data-variant="filled"], a[data-variant="filled"], .plain-button[data-main]')
    .filter({ visible: true })

async function findingsOn(page: Page, path: string): Promise<readonly string[]> {
  const inHeader = await buttonsIn(page, '.screen-actions, .device-actions').count()
  const primary = await primaryOn(page).allTextContents()
  return [
    ...(inHeader > MOST_IN_A_HEADER ? [`${path}: ${inHeader} buttons in the header`] : []),
    ...(primary.length > 1 ? [`${path}: ${primary.length} primary buttons (${primary.join(', ')})`] : []),
  ]
}

test('a screen has at most one primary button, and three buttons in its header', async ({ page, signInAs }) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAs('admin', '/devices')
  const details = page.getByRole('link', { name: 'Details' }).first()
  await expect(details).toBeVisible()
  const guid = (await details.getAttribute('href'))?.match(/devices\/([^/]+)/)?.[1]
  const findings: string[] = []
  for (const path of [...PATHS, ...TABS.map((tab) => `/devices/${guid}/${tab}`)]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main .loading-skeleton')).toHaveCount(0)
    findings.push(...(await findingsOn(page, path)))
  }
  expect(findings).toEqual([])
})
