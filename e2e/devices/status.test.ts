import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('a reading published by an ordinary MQTT client is on the open screen within a second', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Hand-made totem')
  await device.report('display', { internal_temp: 41.5 })
  await signInAs('manager', `/devices/${device.guid}`)
  await expect(page).toHaveURL(new RegExp(`/devices/${device.guid}/status$`))
  const tile = page.getByRole('listitem').filter({ hasText: 'Internal temperature' })
  await expect(tile).toContainText('41.5°C')
  const frames = await page
    .locator('.device-header fieldset')
    .evaluateAll((groups) =>
      groups.map((group) => getComputedStyle(group)).map((it) => [it.borderTopStyle, it.padding]),
    )
  expect(frames.length, 'what the past switches off in the head').toBeGreaterThan(0)
  expect(new Set(frames.flat()), 'buttons in the head have no frame around them').toEqual(new Set(['none', '0px']))
  await expect(page.getByRole('link', { name: /^Network Synced/ })).toBeVisible()
  // The badge says that the stream is open; nothing is reloaded from here on.
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const loaded = await page.evaluate(() => performance.timeOrigin)
  for (const celsius of [52.25, 53.5, 54.75]) {
    await device.report('display', { internal_temp: celsius })
    await expect(tile).toContainText(`${celsius}°C`, { timeout: 5_000 })
  }
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded)
  await device.disconnect()
  await expect(page.getByText('Offline', { exact: true }).first()).toBeVisible({ timeout: 10_000 })
})

test('values that nobody reported are a dash, and late ones never overwrite newer', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Quiet totem')
  await signInAs('manager', `/devices/${device.guid}/status`)
  const backlight = page.getByRole('listitem').filter({ hasText: 'Backlight level' })
  await expect(backlight).toContainText('–')
  await device.report('display', { backlight_level: 70 })
  await expect(backlight).toContainText('70%')
  await device.report('ups', { status: 'on battery', battery_charge: 64 })
  await page.getByRole('button', { name: 'UPS', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'UPS status' })).toContainText('On battery')
  await expect(backlight).toContainText('70%')
  await device.disconnect()
})

test('a device that comes by WebSocket through the port of the console reports like any other', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const url = `${system.httpUrl.replace('http:', 'ws:')}/mqtt`
  const device = await connectOwnDevice(system, request, 'Behind a proxy', url)
  await signInAs('manager', `/devices/${device.guid}/status`)
  await device.report('ecu', { internal_temp: 33.25 })
  await page.getByRole('button', { name: 'ECU', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Controller temperature' })).toContainText('33.25°C')
  await device.disconnect()
})

test('a device of somebody else does not exist for a customer', async ({
  page,
  system,
  request,
  signInAs,
  expectRefused,
}) => {
  const device = await connectOwnDevice(system, request, 'Not yours')
  await signInAs('customer')
  expectRefused('404 Device/GetDevice')
  const answered = page.waitForResponse((response) => response.url().includes('/api/Device/GetDevice?'))
  await page.goto(`/devices/${device.guid}/status`)
  expect((await answered).status()).toBe(404)
  await expect(page.getByText('Not yours')).toHaveCount(0)
  await device.disconnect()
})
