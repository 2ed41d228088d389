import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('a device is under maintenance for 2 h after three clicks, and no more after End now', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop under repair')
  await signInAs('manager', `/devices/${device.guid}/status`)
  await page.getByRole('button', { name: 'Maintenance', exact: true }).click()
  await page.getByRole('menuitem', { name: 'For 2 h' }).click()
  await page.getByRole('button', { name: 'Start maintenance' }).click()
  await expect(page.getByText(/^Maintenance until .* · Work on site$/)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts', exact: true }).click()
  await page.getByRole('link', { name: 'Maintenance windows', exact: true }).click()
  const row = page.getByRole('row', { name: /Stop under repair/ })
  await expect(row).toContainText('Now')
  await row.getByRole('link', { name: 'Stop under repair' }).click()
  await page.getByRole('button', { name: 'End now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('The maintenance has ended.')).toBeVisible()
  await expect(page.getByText(/^Maintenance until/)).toHaveCount(0)
  // The command palette does the same.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('maintenance for 30')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Start maintenance' }).click()
  await expect(page.getByText(/^Maintenance until /)).toBeVisible()
  await device.disconnect()
})
