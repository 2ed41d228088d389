import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { playDevice } from '../support/playedDevice.ts'

test('a selection is set, connected devices at once and the others on reconnect, and each says so', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const away = await connectOwnDevice(system, request, 'Bulk stop, away')
  await away.disconnect()
  // By name, because what needs attention stands first, and may not be connected.
  await signInAs('admin', '/devices?sort=name')
  // Two simulated devices answer, and one is not connected.
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const boxes = page.getByRole('checkbox', { name: /^Select (?!Bulk)/ })
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.getByRole('checkbox', { name: 'Select Bulk stop, away' }).check()
  await expect(page.getByRole('status').filter({ hasText: '3 selected' })).toBeVisible()
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn display(s) off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Holidays: From').fill('23:10')
  await dialog.getByLabel('Holidays: To').fill('04:20')
  await dialog.getByRole('button', { name: 'Apply to 3' }).click()
  const result = (name: RegExp) => dialog.getByRole('listitem').filter({ hasText: name })
  await expect(result(/Bulk stop, away/)).toContainText('Will be applied when the device reconnects', {
    timeout: 30_000,
  })
  await expect(dialog.getByRole('status')).toHaveText(/2 applied, 1 will be applied on reconnect/, { timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // The second time only devices without the value differ.
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn display(s) off' }).click()
  await expect(dialog.getByText('Nothing is chosen: everything stays as it is.')).toBeVisible()
  await dialog.getByLabel('Holidays: From').fill('23:10')
  await dialog.getByLabel('Holidays: To').fill('04:20')
  await expect(dialog.getByText('1 of 3 differ')).toBeVisible()
  await expect(dialog.getByText('Changes off times of holidays on 1, nothing else.')).toBeVisible()
  await expect(result(/Bulk stop, away/)).toContainText('holidays not known → 23:10–04:20')
})

test('one slider that is moved changes one value on every display, and leaves calibration alone', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const calibrated = { brightness: 43, gamma_value: 2.4, red_color_balance: 61, green_color_balance: 52 }
  const kiosk = await connectOwnDevice(system, request, 'Bulk kiosk', undefined, 15)
  const totem = await connectOwnDevice(system, request, 'Bulk totem')
  const players = [await playDevice(kiosk, 'well'), await playDevice(totem, 'well')]
  for (const number of ['', '/2', '/3']) await kiosk.report(`display${number}`, { backlight_level: 70, ...calibrated })
  await totem.report('display', { backlight_level: 60, ...calibrated, blue_color_balance: 47 })
  await signInAs('admin', '/devices?deviceName=Bulk')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Bulk kiosk' }).check()
  await page.getByRole('checkbox', { name: 'Select Bulk totem' }).check()
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Display settings' }).click()
  const dialog = page.getByRole('dialog')
  for (const box of await dialog.getByRole('checkbox', { name: /^Leave as it is/ }).all())
    await expect(box).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Apply to 0' })).toBeDisabled()
  await dialog.getByRole('slider', { name: 'Backlight level' }).press('Home')
  await dialog.getByRole('slider', { name: 'Backlight level' }).press('ArrowRight')
  await expect(dialog.getByText('Changes backlight on 2, nothing else.')).toBeVisible()
  // Somebody recalibrates on site while the dialog is open.
  await totem.report('display', { gamma_value: 2.6 })
  await dialog.getByRole('button', { name: 'Apply to 2' }).click()
  await expect(dialog.getByRole('status')).toHaveText('2 applied', { timeout: 30_000 })
  const kept = { brightness: 43, gammaValue: 2.4, redColorBalance: 61, greenColorBalance: 52 }
  expect(players[0]?.heard.map(({ args }) => args)).toEqual(
    [1, 2, 3].map((displayNumber) => ({ displayNumber, backlightLevel: 1, ...kept })),
  )
  expect(players[1]?.heard.map(({ args }) => args)).toEqual([
    { displayNumber: 1, backlightLevel: 1, ...kept, gammaValue: 2.6, blueColorBalance: 47 },
  ])
  await Promise.all([kiosk.disconnect(), totem.disconnect()])
})

test('commands of a device are listed with their steps, the newest first', async ({ page, signInAs }) => {
  await signInAs('admin', '/devices?modelId=15')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await page.getByRole('button', { name: 'More actions for this device' }).click()
  await page.getByRole('menuitem', { name: 'Commands' }).click()
  const drawer = page.getByRole('dialog', { name: 'Commands' })
  await expect(drawer).toBeVisible()
  const guid = page.url().match(/devices\/([^/]+)/)?.[1]
  const token = await page.evaluate(() => {
    const session = Object.values(localStorage).find((value) => value.includes('accessToken')) ?? '{}'
    return String(JSON.parse(session).accessToken)
  })
  const headers = { authorization: `Bearer ${token}` }
  const device = await (await page.request.get(`/api/Device/GetDevice?guid=${guid}`, { headers })).json()
  // Somebody else resets something, and this page shows it without a reload.
  await page.request.post('/api/Device/ResetNetworkRelay', {
    headers,
    data: { deviceId: device.id, number: 1, port: 2 },
  })
  const newest = drawer.getByRole('listitem').filter({ hasText: 'Reset port 2 of relay 1' })
  await expect(newest.getByText('Done')).toBeVisible()
  await expect(newest.getByText(/answered \d+ s/)).toBeVisible()
})
