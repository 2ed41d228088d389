import type { Page } from '@playwright/test'
import { DAY_MS } from '../../domain/units/time.ts'
import { demoDevice } from '../../server/demo/demoDevices.ts'
import { withProgress } from '../../tools/progress.mjs'
import { expect, pastIsTold, TOLD_WITHIN_MS, test } from './gallery.ts'
import { SERVICED } from './workday.ts'

const PHONE = { width: 390, height: 844 }
const LOW = { width: 1440, height: 480 }
/** The last row and the whole menu of an administrator fit into this. */
const LOW_WITH_MENU = { width: 1440, height: 600 }
const INTERNAL_TEMPERATURE = 4101
const BACKLIGHT = 4113
const WITHOUT_PICTURE = demoDevice(24).name
const WITH_OFF_TIMES = demoDevice(30).name
/** It has off times, and lacks light for a while on every third day. */
const WITH_GAPS = demoDevice(27).name

const rows = (page: Page) => page.getByRole('row')
const isLive = (page: Page) => expect(page.getByText('Live', { exact: true })).toBeVisible()

// Only a hook ends at once when the run is interrupted, so this is not in the fixture.
test.beforeAll(async ({ system }) => {
  test.setTimeout(TOLD_WITHIN_MS)
  await withProgress('The demo tells its past', () => pastIsTold(system))
})

// The workday comes before all screens, also those that do not ask for it: their lists show it.
test.beforeAll(({ workday }) => void workday)

test('overview', async ({ show, page, take }) => {
  await show('manager', '/overview')
  await expect(page.getByRole('table', { name: 'Availability by customer' }).getByRole('row').nth(3)).toBeVisible()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await isLive(page)
  await take('overview')
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('overview', async ({ show, page, take }) => {
    await show('manager', '/overview')
    await expect(page.locator('.u-over').first()).toBeVisible()
    await take('overview-phone', 2)
  })
})

test('devices', async ({ show, page, take }) => {
  await show('manager', '/devices')
  await expect(rows(page).nth(10)).toBeVisible()
  await isLive(page)
  await take('devices')
})

test('status', async ({ show, page, workday, take }) => {
  await show('manager', `/devices/${workday.guidOf(SERVICED)}/status`)
  await expect(page.getByText('Synced')).toBeVisible()
  await expect(page.getByText('Internal temperature').first()).toBeVisible()
  await isLive(page)
  await take('status')
})

test('setup', async ({ show, page, workday, take }) => {
  await show('manager', `/devices/${workday.guidOf(WITH_OFF_TIMES)}/generic-setup`)
  await expect(page.getByRole('slider').first()).toBeVisible()
  await isLive(page)
  await take('setup')
})

test.describe('why a display is dark', () => {
  // The picture shows the whole chain, whose last link is broken.
  test.use({ viewport: { width: 1440, height: 1080 } })

  test('now', async ({ show, page, workday, take }) => {
    await show('manager', `/devices/${workday.guidOf(WITHOUT_PICTURE)}/status`)
    await expect(page.getByText('Internal temperature').first()).toBeVisible()
    await page.getByRole('button', { name: /^Light/ }).click()
    await expect(page.getByRole('region', { name: 'Verdict' })).toBeVisible()
    await take('darkness')
  })
})

test('dark minutes', async ({ show, page, workday, take }) => {
  await show('manager', `/devices/${workday.guidOf(WITH_GAPS)}/status`)
  await page.getByRole('button', { name: /^Light/ }).click()
  await page.getByText('Dark minutes', { exact: true }).click()
  await expect(page.getByRole('img', { name: /^Light by day/ })).toBeVisible()
  await take('dark-minutes')
})

test('locations', async ({ show, page, take }) => {
  await show('manager', '/locations')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText(/^\d+ in view$/)).toBeVisible()
  await expect(page.locator('.leaflet-marker-icon').nth(3)).toBeVisible()
  await isLive(page)
  await take('locations')
})

test.describe('in the white theme', () => {
  test.use({ theme: 'white' })

  test('analytics', async ({ show, page, workday, take }) => {
    const deviceId = workday.idOf(WITH_GAPS)
    const metric = [
      { deviceId, metricId: INTERNAL_TEMPERATURE, yAxis: 1 },
      { deviceId, metricId: BACKLIGHT, yAxis: 2 },
    ]
    const [dateFrom, dateTo] = [Date.now() - 7 * DAY_MS, Date.now()].map((ms) => new Date(ms).toISOString())
    const data = JSON.stringify({ metric, dateFrom, dateTo, removeExisting: true })
    await show('lab', `/analytics?data=${encodeURIComponent(data)}`)
    await expect(page.locator('.u-over')).toBeVisible()
    await expect(rows(page).nth(2)).toBeVisible()
    await take('analytics')
  })
})

test('alerts', async ({ show, page, take }) => {
  await show('manager', '/alerts?statusId=any')
  await expect(rows(page).nth(10)).toBeVisible()
  await isLive(page)
  await take('alerts')
})

test.describe('short lists', () => {
  test.use({ viewport: LOW })

  test('maintenance', async ({ show, page, workday, take }) => {
    await show('manager', `/devices/${workday.guidOf(SERVICED)}/maintenance`)
    await expect(rows(page).nth(4)).toBeVisible()
    await isLive(page)
    await take('maintenance')
  })
})

test.describe('a short list beside a long menu', () => {
  test.use({ viewport: LOW_WITH_MENU })

  test('users', async ({ show, page, take }) => {
    await show('admin', '/users')
    await expect(rows(page).nth(3)).toBeVisible()
    await take('people')
  })
})

test('client update', async ({ show, page, workday, take }) => {
  await show('admin', `/device-software/rollouts/${workday.updateId}`)
  await expect(page.getByText('4 observed, 1 failed')).toBeVisible()
  await expect(rows(page).nth(3)).toBeVisible()
  await take('client-update')
})

test('incidents', async ({ show, page, take }) => {
  await show('manager', '/incidents')
  await expect(page.locator('.incident-row-title').nth(2)).toBeVisible()
  await isLive(page)
  await take('incidents')
})

test('search', async ({ show, page, take }) => {
  await show('manager', '/overview')
  await isLive(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /search/i }).fill('dark for 2 h in Praha')
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  await take('search')
})

test.describe('short lists of an administrator', () => {
  test.use({ viewport: LOW_WITH_MENU })

  const screens = [
    ['channels', '/notifications/channels', 'Operations room'],
    ['notifications', '/notifications/routes', 'Field technicians'],
    ['status-pages', '/status-pages', 'Displays of the city'],
    ['maintenance-windows', '/maintenance-windows', 'Router firmware'],
  ] as const
  for (const [name, path, text] of screens) {
    test(name, async ({ show, page, take }) => {
      await show('admin', path)
      await expect(page.getByText(text).first()).toBeVisible()
      await take(name)
    })
  }
})

test('system', async ({ show, page, take }) => {
  await show('admin', '/system')
  await expect(page.getByRole('heading', { name: 'System' })).toBeVisible()
  await take('system')
})

test('components', async ({ show, page, workday, take }) => {
  await show('admin', `/devices/${workday.guidOf(SERVICED)}/device-components`)
  await expect(page.getByRole('link', { name: 'Power wiring' })).toBeVisible()
  await take('components')
})

test('account', async ({ show, page, take }) => {
  await show('admin', '/overview')
  await page.getByRole('button', { name: 'user menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'API tokens' })).toBeVisible()
  await take('account')
})

test('API tokens', async ({ show, page, take }) => {
  await show('admin', '/overview')
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'API tokens' }).click()
  await expect(page.getByRole('dialog', { name: 'API tokens' }).getByText('Reporting')).toBeVisible()
  await take('api-tokens')
})

test('single sign-on', async ({ show, page, take }) => {
  await show('admin', '/single-sign-on')
  await page.getByRole('button', { name: 'Add provider' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
  await take('single-sign-on')
})

test('audit log', async ({ show, page, take }) => {
  await show('admin', '/audit-log')
  await expect(rows(page).nth(10)).toBeVisible()
  await take('audit-log')
})
