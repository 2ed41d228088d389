import type { APIRequestContext, Page } from '@playwright/test'
import { connectOwnDevice, type OwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const mapOf = (page: Page) => page.getByRole('application', { name: /^Map of devices/ })
const rowsOf = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const zoomOf = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('wayside.locations.view'))
    return JSON.parse(sessionStorage.getItem(key ?? '') ?? '{}').zoom as number | undefined
  })

/** Counts the colours of the base map: the sea alone has one. */
const coloursOf = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.leaflet-ground-pane canvas')
    const { data } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 4 * 97)
      colours.add(`${data[at]} ${data[at + 1]} ${data[at + 2]} ${data[at + 3]}`)
    return colours.size
  })

/** Places a device on the map by the API, with the session of the page. */
async function place(page: Page, request: APIRequestContext, { guid }: OwnDevice, latitude: number, longitude: number) {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('wayside.session') ?? '{}').accessToken)
  const headers = { authorization: `Bearer ${token}` }
  const device = await (await request.get('/api/Device/GetDevice', { headers, params: { guid } })).json()
  const saved = await request.post('/api/Device/SetDeviceDetails', {
    headers,
    data: { ...device, latitude, longitude },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  return { headers, id: device.id as number }
}

test('the map of the fleet stands on the outlines of the world, and a cluster opens when it is clicked', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin')
  await page.getByRole('navigation').getByRole('link', { name: 'Locations' }).click()
  await expect(mapOf(page)).toBeVisible()
  const clusters = mapOf(page).getByRole('button', { name: /^\d+ devices/ })
  await expect(clusters.first()).toBeVisible()
  await expect.poll(() => coloursOf(page)).toBeGreaterThan(2)
  await expect.poll(() => zoomOf(page)).toBe(4)
  const before = Number((await page.getByText(/in view$/).textContent())?.match(/^\d+/)?.[0])
  await clusters.first().click()
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(4)
  await expect
    .poll(async () => Number((await page.getByText(/in view$/).textContent())?.match(/^\d+/)?.[0]))
    .toBeLessThan(before)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText(/^\d+ in view$/)).toBeVisible()
})

test('Show all comes as near as the devices allow', async ({ page, request, system, signInAs }) => {
  const [north, south] = [
    await connectOwnDevice(system, request, 'Stop at the far north'),
    await connectOwnDevice(system, request, 'Stop at the far south'),
  ]
  await signInAs('admin')
  await place(page, request, north, 70.66, 23.68)
  await place(page, request, south, 34.68, 33.04)
  await page.goto(`/locations?filter=${encodeURIComponent('{"deviceName":"at the far"}')}`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText('2 in view', { exact: true })).toBeVisible()
  // Zoom 4 would cut devices off, and zoom 3 would waste half of the map.
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(3)
  expect(await zoomOf(page)).toBeLessThan(4)
  await Promise.all([north.disconnect(), south.disconnect()])
})

test('a pin shows its device, follows its status, and opens it', async ({ page, request, system, signInAs }) => {
  const device = await connectOwnDevice(system, request, 'Stop at the geyser')
  await signInAs('admin')
  const { headers, id } = await place(page, request, device, 64.15, -21.94)
  await page.goto(`/locations?filter=${encodeURIComponent('{"deviceName":"geyser"}')}`)
  const map = mapOf(page)
  await expect(map.getByRole('button', { name: 'Stop at the geyser, Pending, Synced' })).toBeVisible()
  // It is the only device of the filter, so the map shows it closely.
  await expect.poll(() => zoomOf(page)).toBe(10)
  await expect(page.getByText('Not live')).toHaveCount(0)
  await request.post('/api/Device/SetDeviceStatus', { headers, data: { id, statusId: 2 } })
  await expect(map.getByRole('button', { name: 'Stop at the geyser, Paired, Synced' })).toBeVisible()
  await map.getByRole('button', { name: /^Stop at the geyser/ }).click()
  await expect(page).toHaveURL(new RegExp(`${device.guid}/status$`))
  await page.goBack()
  await expect(map.getByRole('button', { name: /^Stop at the geyser/ })).toBeVisible()
  await device.disconnect()
})

test('the filter lives in the address, is kept between visits, and Reset takes it away', async ({ page, signInAs }) => {
  await signInAs('manager', '/locations')
  await expect(rowsOf(page).first()).toBeVisible()
  await page.getByPlaceholder('Name').fill('brno')
  await expect(page).toHaveURL(/filter=.*brno/)
  await expect.poll(async () => (await rowsOf(page).allTextContents()).every((text) => /brno/i.test(text))).toBe(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
  await expect(page).toHaveURL(/overview/)
  await page.getByRole('navigation').getByRole('link', { name: 'Locations' }).click()
  await expect(page).toHaveURL(/filter=.*brno/)
  await expect(page.getByPlaceholder('Name')).toHaveValue('brno')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL(/\/locations$/)
})

test('a hostile link does no harm', async ({ page, signInAs }) => {
  await signInAs('customer')
  for (const filter of ['{"customerId":', '{"customerId":1e99,"deviceName":["<img src=x onerror=alert(1)>"]}', '[]']) {
    await page.goto(`/locations?filter=${encodeURIComponent(filter)}`)
    await expect(rowsOf(page).first()).toBeVisible()
    await expect(page.getByPlaceholder('All customers')).toHaveCount(0)
  }
})

test('the list opens a device by keyboard alone', async ({ page, signInAs }) => {
  await signInAs('manager', '/locations')
  await expect(rowsOf(page).nth(1)).toBeVisible()
  const second = await rowsOf(page).nth(1).getByRole('cell').first().textContent()
  await mapOf(page).focus()
  // The Tab key passes the two zoom buttons and Show all, where it exists, into the list.
  for (let tabs = 0; tabs < 5; tabs++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement?.tagName === 'TR')) break
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/devices\/[^/]+\/status$/)
  await expect(page.getByRole('heading', { name: second ?? '' })).toBeVisible()
})

test('the palette leads to pages, to parts of a device and to actions, by keyboard alone', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop of the palette')
  await signInAs('manager', '/overview')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  const ask = async (words: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: /^Search/ })).toBeFocused()
    await page.keyboard.type(words)
  }
  const run = async (words: string, first: RegExp) => {
    await ask(words)
    await expect(page.getByRole('dialog', { name: 'Search and commands' }).getByRole('option').first()).toHaveText(
      first,
    )
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Search and commands' })).toHaveCount(0)
  }
  await run('locat', /Locations/)
  await expect(page).toHaveURL(/\/locations/)

  await ask('of the palette')
  await expect(page.getByRole('option', { name: /Stop of the palette/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${device.guid}/status$`))
  await expect(page.getByRole('heading', { name: 'Stop of the palette' })).toBeVisible()

  await run('maintenance', /Maintenance/)
  await expect(page).toHaveURL(new RegExp(`${device.guid}/maintenance$`))
  await run('change status out', /^Change the status to Out of order/)
  await expect(page.getByRole('dialog', { name: 'Change status' })).toContainText('to Out of order?')
  await page.keyboard.press('Escape')
  // The dialog keeps the key until it begins to fade.
  await expect(page.getByRole('dialog', { name: 'Change status' })).toHaveCount(0)
  await run('light theme', /[Ll]ight theme/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('wayside.theme'))).toBe('white')
  // Managers change no thresholds and no components, and have no charts.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Maintenance', exact: true })).toBeVisible()
  const offered = await page.getByRole('option').allTextContents()
  for (const refused of ['Components', 'Alert Thresholds', 'Analytics']) {
    expect(offered).not.toContain(refused)
  }
  await page.keyboard.press('Escape')
  await run('logout', /Log ?out/)
  await expect(page).toHaveURL(/\/login/)
  await device.disconnect()
})

test('a question mark lists the keys, but typed into a field it is a question mark', async ({ page, signInAs }) => {
  await signInAs('manager', '/locations')
  await expect(rowsOf(page).first()).toBeVisible()
  await page.getByPlaceholder('Serial number').pressSequentially('a?')
  await expect(page.getByPlaceholder('Serial number')).toHaveValue('a?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await mapOf(page).focus()
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page.getByText('Show these shortcuts')).toBeVisible()
})

test('map, palette and keys are accessible and fit, in both themes at every width', async ({ page, signInAs }) => {
  await signInAs('admin', '/locations')
  const looks = await startLooks(page)
  await expect(
    mapOf(page)
      .getByRole('button', { name: /devices/ })
      .first(),
  ).toBeVisible()
  await expect(rowsOf(page).first()).toBeVisible()
  await looks.check('map')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search and commands' }).getByRole('option').first()).toBeVisible()
  await looks.check('palette')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await looks.check('keys')
})
