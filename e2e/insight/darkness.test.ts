import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'
import { type PretendDevice, startPretendDevice } from '../support/pretendDevice.ts'

let lost: PretendDevice
test.beforeAll(async ({ system, request }) => {
  const faults = [{ kind: 'sourceLost', everyMinutes: 1440, forMinutes: 1440 } as const]
  lost = await startPretendDevice(system, request, { name: 'Stop without a picture', modelId: 22, faults })
})
test.afterAll(() => lost.stop())

test('an operator asks why a display is dark, is told with evidence, and is led to what could help', async ({
  page,
  signInAs,
}) => {
  await signInAs('manager', `/devices/${lost.guid}/status`)
  await page.getByRole('button', { name: /^Light/ }).click()
  const panel = page.getByRole('dialog', { name: 'Why is it dark?' })
  const verdict = panel.getByRole('region', { name: 'Verdict' })
  // The device may still be about to report everything.
  await expect(async () => {
    await panel.getByRole('button', { name: 'Check again' }).click()
    await expect(verdict).toContainText('Display is dark: the display gets no picture from its computer.')
  }).toPass({ timeout: 60_000 })

  const links = panel.getByRole('listitem')
  await expect(links.filter({ hasText: 'Mains' })).toContainText('On power grid')
  await expect(links.filter({ hasText: 'Backlight' }).first()).toContainText('OK')
  await expect(links.last()).toContainText('Broken')
  await expect(links.last()).toContainText('Out of order')
  await expect(links.last()).toContainText(/(s|min) ago|just now/)
  expect(await violations(page)).toEqual([])

  await verdict.getByRole('link', { name: 'Restart the computer: reboot the UPS' }).click()
  await expect(page).toHaveURL(new RegExp(`/devices/${lost.guid}/generic-setup#ups-reboot$`))
  await expect(panel).toHaveCount(0)
  await page.getByRole('button', { name: 'Reboot: UPS' }).click()
  await expect(page.getByRole('dialog')).toContainText('the device is offline meanwhile and comes back automatically')
  await page.getByRole('dialog').getByRole('button', { name: 'No', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
