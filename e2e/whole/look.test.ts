import { expect, test } from '../support/journey.ts'
import { startLooks } from '../support/themesAndWidths.ts'

/** Lists the tabs of a device, each with a word that it shows once its data has loaded. */
const TABS = [
  ['status', 'Uptime'],
  ['details', 'Time zone'],
  ['setup', 'What the display will do'],
  ['device-components', 'Add new'],
  ['alerts', /filters/i],
  ['maintenance', 'Add new'],
] as const

const PAGES = [
  '/overview',
  '/analytics',
  '/incidents',
  '/alerts',
  '/thresholds',
  '/audit-log',
  '/system',
  '/reset-password',
  '/no-such-page',
]

// Each test checks many pages, six times each.
test.describe.configure({ timeout: 540_000 })

test('whoever is not signed in finds an accessible page that fits, in both themes at every width', async ({ page }) => {
  await page.goto('/login')
  const looks = await startLooks(page)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await looks.check('/login')
})

test('every screen of devices is accessible and fits, in both themes at every width', async ({ page, signInAs }) => {
  await signInAs('admin', '/devices')
  const looks = await startLooks(page)
  const details = page.getByRole('link', { name: 'Details' }).first()
  await expect(details).toBeVisible()
  await looks.check('/devices')
  const guid = (await details.getAttribute('href'))?.match(/devices\/([^/]+)/)?.[1]
  for (const [tab, sign] of TABS) {
    await page.goto(`/devices/${guid}/${tab}`)
    await expect(page.getByText(sign).first()).toBeVisible()
    await looks.check(tab)
  }
})

test('every other screen is accessible and fits, in both themes at every width', async ({ page, signInAs }) => {
  await signInAs('admin', '/overview')
  const looks = await startLooks(page)
  for (const path of PAGES) {
    await page.goto(path)
    // The headings of the menu appear before those of the page.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await looks.check(path)
  }
})
