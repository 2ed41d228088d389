import { type APIRequestContext, expect, test } from '@playwright/test'
import { demoDevice } from '../server/demo/demoDevices.ts'
import { violations } from './support/axe.ts'
import { signIn } from './support/signIn.ts'
import { type RunningSystem, startSystem } from './support/system.ts'

/** Off from 22:00 to 06:00, and without light for a while every third day (server/demo/demoDevices.ts). */
const LACKING = demoDevice(27)
/** A totem of model 1, with power switches. */
const TOTEM = demoDevice(0)
/** The demo tells the past of its devices one after the other. */
const TOLD_WITHIN_MS = 180_000

let system: RunningSystem
test.beforeAll(async () => {
  test.setTimeout(180_000)
  system = await startSystem(28)
})
test.afterAll(() => system.stop())

async function deviceId(request: APIRequestContext, guid: string): Promise<number> {
  const data = { username: 'admin@demo.example', password: system.password }
  const { accessToken } = await (await request.post(`${system.httpUrl}/api/App/Login`, { data })).json()
  const headers = { authorization: `Bearer ${accessToken}` }
  const devices = await (await request.get(`${system.httpUrl}/api/Device/GetDeviceList`, { headers })).json()
  return devices.find((device: { guid: string }) => device.guid === guid).id
}

test('the overview names the worst light, and its row leads to the days of that device', async ({ page }) => {
  test.setTimeout(3 * TOLD_WITHIN_MS)
  await signIn(page, 'manager', system)
  await page.goto(`${system.httpUrl}/overview`)
  const ranking = page.getByRole('table', { name: 'Worst light' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Reload' }).click()
    const row = ranking.getByRole('row').filter({ hasText: LACKING.name })
    await expect(row).toContainText(/[1-9]\d* h/, { timeout: 2_000 })
    await expect(ranking.getByRole('row').nth(1)).toContainText(LACKING.name, { timeout: 1_000 })
  }).toPass({ timeout: TOLD_WITHIN_MS })
  await expect(page.getByRole('table', { name: 'Availability by customer' }).getByRole('row')).not.toHaveCount(0)
  expect(await violations(page)).toEqual([])

  await ranking.getByRole('link', { name: LACKING.name }).click()
  const panel = page.getByRole('dialog', { name: 'Why is it dark?' })
  await expect(panel.getByRole('radio', { name: 'Dark minutes' })).toBeChecked()
  const days = panel.getByRole('table', { name: 'Minutes by day' })
  await expect(days.getByRole('row')).toHaveCount(8, { timeout: TOLD_WITHIN_MS })
  await expect(panel.getByRole('img', { name: /^Light by day/ })).toBeVisible()
  await expect(days).toContainText('8 h')
  expect(await violations(page)).toEqual([])

  await panel.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 30 days' }).click()
  await expect(async () => expect(await days.getByRole('row').count()).toBeGreaterThan(12)).toPass({
    timeout: TOLD_WITHIN_MS,
  })
  await panel.getByText('Now', { exact: true }).click()
  await expect(panel.getByRole('region', { name: 'Verdict' })).toBeVisible()

  await page.evaluate(() => localStorage.setItem('wayside.theme', 'white'))
  // The address leads to the days again.
  await page.reload()
  await expect(days.getByRole('row')).toHaveCount(8)
  expect(await violations(page)).toEqual([])
})

test('planned darkness is shaded on the chart of one device, and can be left out', async ({ page, request }) => {
  test.setTimeout(120_000)
  const id = await deviceId(request, LACKING.guid)
  await signIn(page, 'admin', system)
  const metric = [{ deviceId: id, metricId: 4113 }]
  const [dateTo, dateFrom] = [0, 2].map((days) => new Date(Date.now() - days * 86_400_000).toISOString())
  const data = encodeURIComponent(JSON.stringify({ dateFrom, dateTo, metric, removeExisting: true }))
  await page.goto(`${system.httpUrl}/analytics?data=${data}`)
  const legend = page.getByRole('list', { name: 'Values at the cursor' })
  await expect(legend).toContainText('Planned dark', { timeout: 60_000 })
  await expect(page.getByRole('img', { name: /Darkness was planned \d times, 16 h in all/ })).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Planned darkness' }).click()
  await expect(legend).not.toContainText('Planned dark')
  await expect(page).toHaveURL(/planned=false/)
})

test('another wiring changes what the confirmation of a power action says', async ({ page }) => {
  test.setTimeout(120_000)
  await signIn(page, 'admin', system)
  const dialog = page.getByRole('dialog')
  const confirmation = async () => {
    await page.goto(`${system.httpUrl}/devices/${TOTEM.guid}/setup`)
    await page.getByRole('button', { name: 'Reset: Beaglebone' }).click()
    const text = await dialog.innerText()
    await dialog.getByRole('button', { name: 'No' }).click()
    return text
  }
  await expect(async () => expect(await confirmation()).toContain('Power switch 2 feeds the computer')).toPass({
    timeout: 60_000,
  })
  await page.goto(`${system.httpUrl}/devices/${TOTEM.guid}/device-components`)
  const computer = page.getByRole('combobox', { name: 'The computer fed by' })
  await expect(computer).toHaveValue('Power switch 2 (default)')
  await computer.click()
  await page.getByRole('option', { name: 'Power switch 1' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save wiring' }).click()
  await expect(page.getByText('What feeds what is saved.')).toBeVisible()
  await expect(async () =>
    expect(await confirmation()).toContain('Nothing is known to hang on power switch 2; the device stays reachable.'),
  ).toPass({ timeout: 30_000 })
})
