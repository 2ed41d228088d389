import { expect, test } from '@playwright/test'
import { demoDevice } from '../server/demo/demoDevices.ts'
import { violations } from './support/axe.ts'
import { signIn } from './support/signIn.ts'
import { type RunningSystem, startSystem } from './support/system.ts'

/** Its display has lost its source, always (server/demo/demoDevices.ts). */
const LOST = demoDevice(24)

let system: RunningSystem
test.beforeAll(async () => {
  test.setTimeout(180_000)
  system = await startSystem(25)
})
test.afterAll(() => system.stop())

test('an operator asks why a display is dark, is told with evidence, and is led to what could help', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page, 'manager', system)
  await page.goto(`${system.httpUrl}/devices/${LOST.guid}/status`)
  await page.getByRole('button', { name: 'Why is it dark?' }).click()
  const panel = page.getByRole('dialog', { name: 'Why is it dark?' })
  const verdict = panel.getByRole('region', { name: 'Verdict' })
  // The demo's devices connect one after the other.
  await expect(async () => {
    await panel.getByRole('button', { name: 'Look again' }).click()
    await expect(verdict).toContainText('Display is dark: the display gets no picture from its computer.')
  }).toPass({ timeout: 120_000 })

  const links = panel.getByRole('listitem')
  await expect(links.filter({ hasText: 'Mains' })).toContainText('On power grid')
  await expect(links.filter({ hasText: 'Backlight' }).first()).toContainText('OK')
  await expect(links.last()).toContainText('Broken')
  await expect(links.last()).toContainText('Out of order')
  await expect(links.last()).toContainText(/(s|min) ago|just now/)
  expect(await violations(page)).toEqual([])

  await verdict.getByRole('link', { name: 'Reboot the UPS' }).click()
  await expect(page).toHaveURL(new RegExp(`/devices/${LOST.guid}/generic-setup#ups$`))
  await expect(panel).toHaveCount(0)
  await page.getByRole('button', { name: 'Reboot: UPS' }).click()
  await expect(page.getByRole('dialog')).toContainText('the device is offline meanwhile and comes back by itself')
  await page.getByRole('dialog').getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
