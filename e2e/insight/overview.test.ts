import type { APIRequestContext, Page } from '@playwright/test'
import pg from 'pg'
import { asAdmin, connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import type { RunningSystem } from '../support/system.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const TILES = [
  ['Active devices', /\/devices\?filter=activeConnected/],
  ['Pending devices', /\/devices\?filter=pending/],
  ['Maintenance devices', /\/devices\?filter=maintenance/],
  ['Out-of-order devices', /\/devices\?filter=outOfOrder/],
] as const

const tileOf = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
const numberOn = async (page: Page, name: string) => {
  const value = tileOf(page, name).locator('.kpi-value')
  await expect(value).toHaveText(/^[\d,]+$/)
  return Number((await value.innerText()).replaceAll(',', ''))
}
const cell = (page: Page, name: RegExp) => page.getByRole('grid').getByRole('gridcell', { name })

/** The demo's devices connect one after the other; until then numbers differ from what a list shows a moment later. */
async function wholeFleetOnline(page: Page, request: APIRequestContext, system: RunningSystem) {
  const headers = await asAdmin(system)
  const listed = async () => {
    const answer = await request.get('/api/Device/GetDeviceList?filter=activeConnected', { headers })
    return ((await answer.json()) as unknown[]).length
  }
  await expect(async () => {
    await page.goto('/overview')
    const before = await listed()
    expect(before).toBeGreaterThan(0)
    expect(await numberOn(page, 'Active devices')).toBe(before)
    expect(await listed()).toBe(before)
  }).toPass({ timeout: 60_000 })
}

test('every tile opens a list of as many rows, and a device that connects, turns hot and raises an alert is seen live', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  await signInAs('admin', '/overview')
  await wholeFleetOnline(page, request, system)

  await test.step('tiles and their lists', async () => {
    for (const [name, address] of TILES) {
      const count = await numberOn(page, name)
      await tileOf(page, name).click()
      await expect(page).toHaveURL(address)
      if (count === 0) await expect(page.getByText('No device matches this filter')).toBeVisible()
      else await expect(page.getByRole('link', { name: 'Details' })).toHaveCount(count)
      await page.goBack()
      await expect(tileOf(page, name).locator('.kpi-value')).not.toHaveAttribute('data-loading')
    }
  })

  await test.step('a device that is added counts as pending at once, without a reload', async () => {
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    const pending = await numberOn(page, 'Pending devices')
    const device = await connectOwnDevice(system, request, 'Glowing totem')
    await expect.poll(() => numberOn(page, 'Pending devices')).toBe(pending + 1)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))

    const headers = await asAdmin(system)
    const paired = await request.post('/api/Device/SetDeviceStatus', { headers, data: { id: device.id, statusId: 2 } })
    expect(paired.status()).toBe(200)
    await expect.poll(() => numberOn(page, 'Pending devices')).toBe(pending)
    const condition = await request.post('/api/Alert/SetAlertCondition', {
      headers,
      data: { deviceId: device.id, eventTypeFieldId: 4101, operatorId: 1, valueDec: 90, periodId: 1, actionTypeId: 2 },
    })
    expect(condition.status(), await condition.text()).toBe(200)

    const alerts = await numberOn(page, 'Alerts in 24h')
    await device.report('display', { internal_temp: 95.5, intake_temp: 80.25 })
    const opened = page.getByRole('table', { name: 'Open alerts' }).getByRole('row', { name: /limit 90 °C/ })
    await expect(opened).toContainText('1')
    await expect.poll(() => numberOn(page, 'Alerts in 24h')).toBeGreaterThan(alerts)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)

    const hottest = page.getByRole('table', { name: 'Ten hottest devices' }).getByRole('row').nth(1)
    // Lists of the fleet may be some seconds old.
    await expect(async () => {
      await page.getByRole('button', { name: 'Reload' }).click()
      await expect(hottest).toContainText('Glowing totem', { timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
    await expect(hottest).toContainText('15.3')

    // Other devices of the demo may raise an alert in between.
    await expect(async () => {
      await page.goto('/overview')
      const onDevices = await numberOn(page, 'Alerts in 24h')
      await tileOf(page, 'Alerts in 24h').click()
      await expect(page).toHaveURL(/\/alerts\?filter=last24h/)
      const told = page.getByText(new RegExp(`alerts? on ${onDevices} devices?$`))
      await expect(told).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 30_000 })
    await page.goBack()
    await opened.getByRole('link', { name: /^1 active/ }).click()
    await expect(page).toHaveURL(/\/alerts\?.*filter=opened/)
    await expect(page).toHaveURL(/conditionStateId=1/)
    await expect(page.getByRole('link', { name: 'Glowing totem' })).toBeVisible()
    await page.goBack()

    const wrong = page.getByRole('region', { name: 'Needs attention' })
    const row = wrong.getByRole('row').filter({ hasText: 'Glowing totem' }).filter({ hasText: 'limit 90 °C' })
    // Others may be worse: then it is among those that are shown on request.
    const more = wrong.getByRole('button', { name: /^Show all \d+$/ })
    await expect(row.or(more).first()).toBeVisible()
    if (await more.isVisible()) await more.click()
    await expect(row.getByRole('link', { name: /^Open chart/ })).toBeVisible()
    await device.disconnect()
    const silent = wrong.getByRole('button', { name: /^Not reporting \d+/ })
    await silent.click()
    await expect(row).toHaveCount(0)
    await expect(wrong.getByRole('row').nth(1)).toContainText('Not reporting: no data')
    // The device that has just gone is counted a moment later.
    await expect(async () => {
      await page.goto('/overview')
      const count = Number(/\d+/.exec((await silent.textContent()) ?? '')?.[0])
      await page.goto('/devices?filter=silent')
      await expect(page.getByRole('button', { name: 'Remove filter: Needs attention: Not reporting' })).toBeVisible()
      await expect(page.getByRole('table').getByRole('row')).toHaveCount(count + 1, { timeout: 3_000 })
    }).toPass()
  })
})

test('the customer filter lives in the address and goes along with every link', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  await signInAs('admin', '/overview')
  await wholeFleetOnline(page, request, system)
  const all = await numberOn(page, 'Active devices')
  await page.getByRole('combobox', { name: 'Customer' }).selectOption({ index: 1 })
  await expect(page).toHaveURL(/\/overview\?customerId=\d+/)
  const id = /customerId=(\d+)/.exec(page.url())?.[1]
  await expect(tileOf(page, 'Maintenance devices')).toHaveAttribute('href', new RegExp(`customerId=${id}`))
  await page.reload()
  await expect(page).toHaveURL(new RegExp(`customerId=${id}`))
  const ofCustomer = await numberOn(page, 'Active devices')
  expect(ofCustomer).toBeLessThan(all)
  await tileOf(page, 'Active devices').click()
  await expect(page).toHaveURL(new RegExp(`customerId=${id}`))
  await expect(page.getByRole('link', { name: 'Details' })).toHaveCount(ofCustomer)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/\/overview$/)
})

test('who comes back reads what others changed meanwhile, opens exactly that, and can hide it', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const since = page.getByRole('region', { name: 'Since you were last here' })
  const visited = page.waitForResponse(/App\/GetLastVisit/)
  await signInAs('manager', '/overview')
  await visited
  await leaveFor(system, 'manager@demo.example', 40)
  await connectOwnDevice(system, request, 'Meanwhile totem')
  await page.reload()
  const changes = since.getByRole('link', { name: /changes? by .*admin@demo\.example/ })
  const count = Number.parseInt((await changes.innerText()).replaceAll(',', ''), 10)
  expect(count).toBeGreaterThan(0)
  await page.reload()
  await changes.click()
  await expect(page).toHaveURL(/\/audit-log\?.*byOthers/)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(new RegExp(`of ${count}\\b`))
  await page.goBack()
  await since.getByRole('button', { name: /^Hide/ }).click()
  await expect(since).toHaveCount(0)
  await page.reload()
  await expect(tileOf(page, 'Active devices').locator('.kpi-value')).not.toHaveAttribute('data-loading')
  await expect(since).toHaveCount(0)
})

test('a customer user sees their own fleet and no filter of customers', async ({ page, signInAs }) => {
  await signInAs('customer')
  await expect(page).toHaveURL(/\/overview$/)
  await expect(tileOf(page, 'Active devices').locator('.kpi-value')).not.toHaveAttribute('data-loading')
  await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveCount(0)
  const pending = await numberOn(page, 'Pending devices')
  await tileOf(page, 'Pending devices').click()
  if (pending === 0) await expect(page.getByText('No device matches this filter')).toBeVisible()
  else await expect(page.getByRole('link', { name: 'Details' })).toHaveCount(pending)
})

test('the page is accessible and fits, and its heat map is walked by key, in both themes at every width', async ({
  page,
  system,
  request,
  signInAs,
}, testInfo) => {
  await raiseOneAlert(request, system)
  await signInAs('admin', '/overview')
  const looks = await startLooks(page)
  await expect(page.getByRole('grid')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Ten hottest devices' })).toBeVisible()
  await expect(page.getByText('°C', { exact: false }).first()).toBeVisible()
  await looks.check('overview', async (theme, width) => {
    // On a phone what is not urgent is folded.
    const fold = page.getByRole('button', { name: /^Alerts by hour and weekday/ })
    if ((await fold.count()) > 0 && (await fold.getAttribute('aria-expanded')) === 'false') await fold.press('Enter')
    await cell(page, /^Monday 00:00/).focus()
    await page.keyboard.press('ArrowDown')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await expect(cell(page, /^Tuesday 03:00/)).toBeFocused()
    await expect(page.getByRole('tooltip')).toContainText(/^Tuesday 03:00–04:00: \d+ alerts?$/)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.screenshot({ path: testInfo.outputPath(`overview-${theme}-${width}.png`), fullPage: true })
  })
})

/** Raises an alert, because the heat map of a fleet without any says "No data". */
async function raiseOneAlert(request: APIRequestContext, system: RunningSystem) {
  const device = await connectOwnDevice(system, request, 'Alarmed totem')
  const headers = await asAdmin(system)
  const of = { deviceId: device.id, eventTypeFieldId: 4101, operatorId: 1, valueDec: 40, periodId: 1, actionTypeId: 2 }
  expect(
    (await request.post('/api/Device/SetDeviceStatus', { headers, data: { id: device.id, statusId: 2 } })).status(),
  ).toBe(200)
  expect((await request.post('/api/Alert/SetAlertCondition', { headers, data: of })).status()).toBe(200)
  await device.report('display', { internal_temp: 52, intake_temp: 30 })
  await device.disconnect()
}

/** Their last deed becomes so many minutes older. */
async function leaveFor({ ownerUrl }: RunningSystem, username: string, minutes: number): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(
    `update user_visit set seen_at = seen_at - make_interval(mins => $2)
     where user_id = (select id from app_user where username = $1)`,
    [username, minutes],
  )
  await owner.end()
}
