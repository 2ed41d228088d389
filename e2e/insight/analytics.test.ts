import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { DAY_MS } from '#domain/units/time.ts'
import { connectOwnDevice, type OwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

const STEP_MS = 10 * 60_000
const METRIC_ID = 4101

let device: OwnDevice
test.beforeAll(async ({ system, request }) => {
  device = await connectOwnDevice(system, request, 'Charted totem')
  const now = Date.now()
  const moments = Array.from({ length: (3 * DAY_MS) / STEP_MS }, (_, step) => now - step * STEP_MS)
  await device.reportAll(
    'display',
    moments.map((ms) => ({
      at: new Date(ms).toISOString(),
      values: { internal_temp: Math.round(300 + 80 * Math.sin(ms / 1e7)) / 10 },
    })),
  )
})
test.afterAll(() => device.disconnect())

test('an analyst draws a metric, zooms, goes back, and a pasted link shows the same', async ({ page, signInAs }) => {
  await signInAs('analyst')
  await expect(page).toHaveURL(/\/analytics/)
  await expect(page.getByText('No data')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add metric' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Device' }).fill(device.name)
  await page.getByRole('option', { name: device.name }).click()
  await dialog.getByRole('combobox', { name: 'Metric' }).click()
  await page
    .getByRole('option', { name: /Internal temperature/ })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await page.getByRole('button', { name: /Choose a period/ }).click()
  await page.getByRole('menuitem', { name: 'Last 7 days' }).click()
  await page.getByRole('button', { name: /Reload/ }).click()
  const plot = await drawnChart(page)
  // An answer that arrives meanwhile redraws the chart, and then there is nothing to drag.
  await expect(async () => {
    const { x, y, width } = await placeOf(plot)
    await page.mouse.move(x + 0.2 * width, y + 80)
    await page.mouse.down()
    await page.mouse.move(x + 0.6 * width, y + 80, { steps: 5 })
    await page.mouse.up()
    await expect(page).toHaveURL(/zoom=/, { timeout: 2_000 })
  }).toPass()
  await page.goBack()
  await expect(page).not.toHaveURL(/zoom=/)

  const link = page.url()
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('wayside.analytics')) localStorage.removeItem(key)
  })
  await page.goto(link)
  await expect(page.getByRole('table', { name: 'Metrics' }).getByRole('row')).toHaveCount(2)
  await expect(plot).toBeVisible()
})

test('who may not open Analytics finds no way to it', async ({ page, signInAs }) => {
  await signInAs('manager')
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toBeVisible()
  // The entry of that name leads them to the pages about light.
  await expect(page.locator('a[href="/analytics"]')).toHaveCount(0)
  await page.goto('/analytics')
  await expect(page.getByText('You do not have permission to see this page.')).toBeVisible()
})

test('a hostile link shows the page and nothing else', async ({ page, signInAs }) => {
  await signInAs('analyst')
  for (const data of ['{"metric', '[[]]', '{"metric":{"deviceId":{},"metricId":"<img src=x onerror=alert(1)>"}}']) {
    await page.goto(`/analytics?data=${encodeURIComponent(data)}`)
    await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
  }
})

async function openChart(page: Page) {
  const now = Date.now()
  const period = { dateFrom: new Date(now - 3 * DAY_MS).toISOString(), dateTo: new Date(now).toISOString() }
  const data = JSON.stringify({ ...period, metric: { deviceId: device.id, metricId: METRIC_ID }, removeExisting: true })
  await page.goto(`/analytics?data=${encodeURIComponent(data)}`)
  return drawnChart(page)
}

/** Returns the chart once it has values: until then each answer redraws it. */
async function drawnChart(page: Page) {
  await expect(page.getByRole('table', { name: 'Metrics' }).getByRole('row').nth(1)).toContainText(/\d/)
  const plot = page.locator('.u-over')
  await expect(plot).toBeVisible()
  return plot
}

async function placeOf(plot: Locator) {
  const place = await plot.boundingBox()
  if (!place) throw new Error('the chart has no place')
  return place
}

/** Reads begin and end of the part in the address; none while the whole period is shown. */
const zoomOf = (page: Page) => {
  const zoom = new URL(page.url()).searchParams.get('zoom')
  return zoom?.split('/').map((moment) => Date.parse(moment)) as [number, number] | undefined
}
const lengthOf = (page: Page) => {
  const [fromMs, toMs] = zoomOf(page) ?? [0, 3 * DAY_MS]
  return toMs - fromMs
}

test('Ctrl and the wheel zoom, Shift moves along, the wheel alone scrolls the page', async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await signInAs('analyst')
  const plot = await openChart(page)
  await plot.hover({ position: { x: 300, y: 60 } })
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -400)
  await page.keyboard.up('Control')
  await expect.poll(() => lengthOf(page)).toBeLessThan(1.3 * DAY_MS)
  const near = zoomOf(page)
  await page.keyboard.down('Shift')
  await page.mouse.wheel(0, 200)
  await page.keyboard.up('Shift')
  await expect.poll(() => zoomOf(page)?.[0]).toBeGreaterThan(near?.[0] ?? 0)
  const moved = zoomOf(page)
  expect(lengthOf(page)).toBe((near?.[1] ?? 0) - (near?.[0] ?? 0))

  const box = await placeOf(plot)
  await page.keyboard.down('Shift')
  await page.mouse.move(box.x + 300, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 500, box.y + 60, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect.poll(() => zoomOf(page)?.[0]).toBeLessThan(moved?.[0] ?? 0)

  const before = page.url()
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollTop ?? 0)).toBeGreaterThan(0)
  expect(page.url()).toBe(before)
  await page.goBack()
  await expect.poll(() => zoomOf(page)).toBeUndefined()
})

test('two fingers zoom, one moves along', async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 820, height: 900 })
  await signInAs('analyst')
  const plot = await openChart(page)
  const box = await placeOf(plot)
  const fingers = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: xs.map((x, id) => ({ id, x: box.x + x, y: box.y + 80 })),
    })
  await touch('touchStart', 200)
  await touch('touchStart', 200, 300)
  for (let apart = 100; apart <= 300; apart += 50) await touch('touchMove', 250 - apart / 2, 250 + apart / 2)
  await touch('touchEnd')
  await expect.poll(() => lengthOf(page)).toBeLessThan(1.5 * DAY_MS)
  const near = zoomOf(page)
  await touch('touchStart', 300)
  for (let x = 300; x >= 200; x -= 25) await touch('touchMove', x)
  await touch('touchEnd')
  await expect.poll(() => zoomOf(page)?.[0]).toBeGreaterThan(near?.[0] ?? 0)
  expect(lengthOf(page)).toBe((near?.[1] ?? 0) - (near?.[0] ?? 0))
})

test('with the keyboard alone one zooms, moves along, reads values and goes back', async ({ page, signInAs }) => {
  await signInAs('analyst')
  await openChart(page)
  const chart = page.getByRole('group', { name: /^Chart: arrow keys/ })
  await chart.focus()
  for (const _ of [1, 2, 3]) await page.keyboard.press('+')
  await expect.poll(() => lengthOf(page)).toBe((3 * DAY_MS) / 8)
  const middle = zoomOf(page)
  await page.keyboard.press('PageUp')
  await expect.poll(() => zoomOf(page)?.[0]).toBe((middle?.[0] ?? 0) - (3 * DAY_MS) / 16)
  await page.keyboard.press('-')
  await expect.poll(() => lengthOf(page)).toBe((3 * DAY_MS) / 4)
  await page.keyboard.press('End')
  const atEnd = await page.locator('.chart-legend-time').textContent()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => page.locator('.chart-legend-time').textContent()).not.toBe(atEnd)
  await expect(page.locator('.chart-legend-value').first()).toHaveText(/\d.* °C/)
  await page.keyboard.press('0')
  await expect.poll(() => zoomOf(page)).toBeUndefined()
})

test('what is asked for stands in one line on a screen of 1440 pixels', async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAs('analyst')
  await openChart(page)
  const bar = page.getByRole('search', { name: 'Period and chart' })
  const inputs = bar.getByRole('checkbox').or(bar.getByRole('button', { name: /^(Reload|Show)/ }))
  const middles = await inputs.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 20)),
  )
  expect(middles).toHaveLength(4)
  expect(new Set(middles).size).toBe(1)
})

test('what is shown is exported as CSV and as PNG', async ({ page, signInAs }) => {
  await signInAs('analyst')
  await openChart(page)
  const exported = async (name: string) => {
    await page.getByRole('button', { name: 'Export what is shown' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
  }
  const csv = await exported('Readings as CSV')
  expect(csv.name).toMatch(/^Analytics \d\d\.\d\d\.\d\d \d\d-\d\d - .*\.csv$/)
  const [head = '', first = ''] = csv.content.toString().split('\r\n')
  expect(head).toMatch(/^\ufeff"Time";"Display · [^"]+";"Display · [^"]+ min";"Display · [^"]+ max"$/)
  expect(first).toMatch(/^"\d\d\.\d\d\.\d\d \d\d:\d\d:\d\d";"[\d.-]+";"[\d.-]+";"[\d.-]+"$/)
  const png = await exported('Chart as PNG')
  expect(png.name).toMatch(/\.png$/)
  expect(png.content.subarray(1, 4).toString()).toBe('PNG')
  const colours = await page.evaluate(async (base64) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))]))
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    context?.drawImage(picture, 0, 0)
    const { data = [] } = context?.getImageData(0, 0, picture.width, picture.height) ?? {}
    let line = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.slice(at, at + 3)
      if (red < 60 && green > 140 && blue > 110) line++
    }
    return { width: picture.width, line }
  }, png.content.toString('base64'))
  expect(colours.width).toBeGreaterThan(800)
  // The line has soft edges; the marked part below the chart has only a hundred pixels.
  expect(colours.line).toBeGreaterThan(500)
})
