import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('the record of a device is edited, with a position picked on the map and the time zone that follows', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop by the river')
  await signInAs('admin', `/devices/${device.guid}/details`)
  await page.getByRole('textbox', { name: 'Internal IP' }).fill('10.0.0.300')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('This field Internal IP is not a valid IP address.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Internal IP' }).fill('10.0.0.30')
  // The keyboard alone reaches the middle of the map.
  const map = page.getByRole('application')
  await map.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Latitude' })).not.toHaveValue('')
  await page.getByRole('textbox', { name: 'Latitude' }).fill('38.72')
  await page.getByRole('textbox', { name: 'Longitude' }).fill('-9.14')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Lisbon')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('The device is saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Internal IP' })).toHaveValue('10.0.0.30')
  await expect(page.getByRole('textbox', { name: 'Latitude' })).toHaveValue('38.72')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Lisbon')
  await device.disconnect()
})

test('a click on the map sets the position, and leaving without saving asks', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop on the hill')
  await signInAs('admin', `/devices/${device.guid}/details`)
  await page.getByRole('application').click({ position: { x: 200, y: 100 } })
  await expect(page.getByRole('textbox', { name: 'Longitude' })).not.toHaveValue('')
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'No', exact: true }).click()
  await expect(page).toHaveURL(/\/details$/)
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page).toHaveURL(/\/devices$/)
  await device.disconnect()
})

test('a status is set, the key renewed, and the device deleted by its name', async ({
  page,
  request,
  system,
  signInAs,
  expectRefused,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop at the end')
  await signInAs('manager', `/devices/${device.guid}/status`)
  await page.getByRole('button', { name: /^Status: / }).click()
  await page.getByRole('menuitem', { name: 'Maintenance' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('button', { name: 'Status: Maintenance. Change it' })).toBeVisible()

  const inMenu = async (entry: string) => {
    await page.getByRole('button', { name: 'More actions for this device' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await inMenu('Renew key')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Yes' }).click()
  expect((await download).suggestedFilename()).toContain('.json')
  // The old key ended at once, and with it the connection.
  await expect(page.locator('.badge', { hasText: 'Offline' })).toBeVisible()

  await inMenu('Delete device')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete device' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('Stop at the end')
  await dialog.getByRole('button', { name: 'Delete device' }).click()
  await expect(page).toHaveURL(/\/devices$/)
  await expect(page.getByText('"Stop at the end" is deleted.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Stop at the end/ })).toHaveCount(0)
  expectRefused('404 Device/GetDevice')
  await page.goto(`/devices/${device.guid}/status`)
  await expect(page.getByText('Device not found')).toBeVisible()
  await device.disconnect()
})

test('the switcher finds a device from any page by keyboard', async ({ page, request, system, signInAs }) => {
  const device = await connectOwnDevice(system, request, 'Stop of the switcher')
  await signInAs('manager', '/overview')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('of the switcher')
  await expect(page.getByRole('option', { name: /Stop of the switcher/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${device.guid}/status$`))
  await device.disconnect()
})
