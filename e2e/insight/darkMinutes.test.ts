import { violations } from '../support/axe.ts'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { type PretendDevice, startPretendDevice } from '../support/pretendDevice.ts'

/** A device reports this much of its past finely enough for dark minutes when it first connects. */
const PAST_DAYS = 9
const TOLD_WITHIN_MS = 120_000
const NAME = 'Stop without light'

/** The device is off from 22:00 to 06:00, and lacks light for a while every third day. */
let lacking: PretendDevice
test.beforeAll(async ({ system, request }) => {
  lacking = await startPretendDevice(system, request, {
    name: NAME,
    modelId: 16,
    faults: [{ kind: 'backlightDead', everyMinutes: 3 * 1440, forMinutes: 95, phaseMinutes: 2100 }],
    offTimes: {
      ...{ wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' },
      ...{ wkndTimeOffFrom: '22:00', wkndTimeOffTo: '06:00' },
      ...{ holTimeOffFrom: '22:00', holTimeOffTo: '06:00' },
    },
    pastDays: PAST_DAYS,
  })
})
test.afterAll(() => lacking.stop())

test('the overview names the worst light, and its row leads to the days of that device', async ({ page, signInAs }) => {
  await signInAs('manager', '/overview')
  await expect(page.getByRole('table', { name: 'Availability by customer' }).getByRole('row')).not.toHaveCount(0)
  await page.getByRole('tab', { name: 'Worst displays' }).click()
  const ranking = page.getByRole('table', { name: 'Worst displays' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Reload' }).click()
    const row = ranking.getByRole('row').filter({ hasText: NAME })
    await expect(row).toContainText(/[1-9]\d* h/, { timeout: 2_000 })
    await expect(ranking.getByRole('row').nth(1)).toContainText(NAME, { timeout: 1_000 })
  }).toPass({ timeout: TOLD_WITHIN_MS })
  expect(await violations(page)).toEqual([])

  await ranking.getByRole('link', { name: NAME }).click()
  const panel = page.getByRole('dialog', { name: 'Why is it dark?' })
  await expect(panel.getByRole('radio', { name: 'Dark minutes' })).toBeChecked()
  const days = panel.getByRole('table', { name: 'Minutes by day' })
  await expect(days.getByRole('row')).toHaveCount(8, { timeout: TOLD_WITHIN_MS })
  await expect(panel.getByRole('img', { name: /^Light by day/ })).toBeVisible()
  await expect(days).toContainText('8 h')
  expect(await violations(page)).toEqual([])

  await panel.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 30 days' }).click()
  await expect(async () => expect(await days.getByRole('row').count()).toBeGreaterThan(8)).toPass({
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

test('planned darkness is shaded on the chart of one device, and can be left out', async ({ page, signInAs }) => {
  const metric = [{ deviceId: lacking.id, metricId: 4113 }]
  const [dateTo, dateFrom] = [0, 2].map((days) => new Date(Date.now() - days * 86_400_000).toISOString())
  const data = encodeURIComponent(JSON.stringify({ dateFrom, dateTo, metric, removeExisting: true }))
  await signInAs('admin', `/analytics?data=${data}`)
  const legend = page.getByRole('list', { name: 'Values at the cursor' })
  await expect(legend).toContainText('Planned dark', { timeout: TOLD_WITHIN_MS })
  await expect(page.getByRole('img', { name: /Darkness was planned \d times, 16 h in all/ })).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Planned darkness/ }).click()
  await expect(legend).not.toContainText('Planned dark')
  await expect(page).toHaveURL(/planned=false/)
})

test('another wiring changes what the confirmation of a power action says', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const totem = await connectOwnDevice(system, request, 'Wired totem')
  const dialog = page.getByRole('dialog')
  const confirmation = async () => {
    await page.goto(`/devices/${totem.guid}/setup#power-switches`)
    await page.getByRole('button', { name: 'Reset: Beaglebone' }).click()
    const text = await dialog.innerText()
    await dialog.getByRole('button', { name: 'No', exact: true }).click()
    return text
  }
  await signInAs('admin', `/devices/${totem.guid}/setup`)
  expect(await confirmation()).toContain('Power switch 2 feeds the Beaglebone')
  await page.goto(`/devices/${totem.guid}/device-components#power-wiring`)
  const computer = page.getByRole('combobox', { name: 'The Beaglebone fed by' })
  await expect(computer).toHaveValue('Power switch 2 (default)')
  await computer.click()
  await page.getByRole('option', { name: 'Power switch 1' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save wiring' }).click()
  await expect(page.getByText('The power wiring is saved.')).toBeVisible()
  await expect(async () =>
    expect(await confirmation()).toContain('Nothing is known to depend on power switch 2; the device stays reachable.'),
  ).toPass({ timeout: 30_000 })
})
