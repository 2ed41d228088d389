import { connectOwnDevice } from './support/device.ts'
import { expect, test } from './support/journey.ts'

test('a selection is set, connected devices at once and the others on reconnect, and each says so', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const away = await connectOwnDevice(system, request, 'Bulk stop, away')
  await away.disconnect()
  await signInAs('admin')
  await page.goto('/devices')
  // Pretend devices that answer, and one that is not there.
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

  // The second time nobody differs.
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn display(s) off' }).click()
  await expect(dialog.getByLabel('Holidays: From')).toHaveValue('23:10')
  await expect(dialog.getByText('0 of 3 differ')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Apply to 0' })).toBeDisabled()
})

test('commands of a device are listed with their steps, the newest first', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/devices?modelId=15')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await page.getByRole('button', { name: 'Commands', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Commands' })
  await expect(drawer).toBeVisible()
  const guid = page.url().match(/devices\/([^/]+)/)?.[1]
  const token = await page.evaluate(() => {
    const session = Object.values(localStorage).find((value) => value.includes('accessToken')) ?? '{}'
    return String(JSON.parse(session).accessToken)
  })
  const headers = { authorization: `Bearer ${token}` }
  const device = await (await page.request.get(`/api/Device/GetDevice?guid=${guid}`, { headers })).json()
  // Somebody else resets something, and it is seen here without a reload.
  await page.request.post('/api/Device/ResetNetworkRelay', {
    headers,
    data: { deviceId: device.id, number: 1, port: 2 },
  })
  const newest = drawer.getByRole('listitem').filter({ hasText: 'Reset port 2 of relay 1' })
  await expect(newest.getByText('Done')).toBeVisible()
  await expect(newest.getByText('Answered')).toBeVisible()
})
