import type { Page } from '@playwright/test'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

/** Acts like an upgrade: files not loaded yet are gone, and the server's page starts another program. */
async function upgrade(page: Page): Promise<() => Promise<void>> {
  await page.route(/\/assets\/(AnalyticsScreen|ChannelsScreen|PaletteDialogs)-[^/]+\.js$/, (route) =>
    route.fulfill({ status: 404 }),
  )
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/(src="[^"]*\/assets\/)[^"]+(\.js")/, '$1index-of-the-next$2')
      return route.fulfill({ response: answer, body })
    },
  )
  return () => page.unrouteAll()
}

const loads = (page: Page) => {
  let times = 0
  page.on('load', () => {
    times++
  })
  return () => times
}

test('a console whose parts are gone after an upgrade reloads itself once, and then says what to do', async ({
  page,
  signInAs,
  expectRefused,
}) => {
  expectRefused('404 assets/')
  await signInAs('admin', '/devices')
  await expect(page.getByRole('heading', { name: 'Devices' })).toBeVisible()
  const endUpgrade = await upgrade(page)
  const loaded = loads(page)
  await page.getByRole('link', { name: 'Analytics', exact: true }).click()
  await expect(page.getByText('A new version of Wayside is available. Reload the page to continue.')).toBeVisible()
  await expect(page).toHaveURL(/\/analytics$/)
  expect(loaded()).toBe(1)
  await endUpgrade()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
})

test('where something is not saved the page stays as it is, and the words are told', async ({
  page,
  request,
  system,
  signInAs,
  expectRefused,
}) => {
  expectRefused('404 assets/')
  const device = await connectOwnDevice(system, request, 'Stop by the upgrade')
  await signInAs('admin', `/devices/${device.guid}/details`)
  const address = page.getByRole('textbox', { name: 'Internal IP' })
  await address.fill('10.0.0.31')
  await upgrade(page)
  const loaded = loads(page)
  // On a busy machine the first press may come while the page still takes up what was typed.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByText('A new version of Wayside is available. Reload the page to continue.')).toBeVisible({
      timeout: 5_000,
    })
  }).toPass()
  await expect(address).toHaveValue('10.0.0.31')
  expect(loaded()).toBe(0)
  await device.disconnect()
})
