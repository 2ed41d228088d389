import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/signIn.ts'
import { startSystem } from '../support/system.ts'

const TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA0mGm5QAAAABJRU5ErkJggg==',
  'base64',
)

/** Starts a tile server on another origin, which can be made to fail. */
async function startTileServer() {
  const asked: { path: string; referer: string | undefined }[] = []
  let isBroken = false
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer })
    response.writeHead(isBroken ? 503 : 200, { 'content-type': 'image/png' })
    response.end(isBroken ? undefined : TILE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
    asked,
    breakDown: () => {
      isBroken = true
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('tiles of a configured server lie on the map with their attribution, and outlines where they do not come', async ({
  browser,
  expectRefused,
}) => {
  const tiles = await startTileServer()
  const system = await startSystem(3, {
    WAYSIDE_TILE_URL: tiles.url,
    WAYSIDE_TILE_ATTRIBUTION: '© Tiles <b>of</b> the test',
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await signIn(page, 'admin', system, `/locations?filter=${encodeURIComponent('{"deviceName":"a secret name"}')}`)
    await expect(page.locator('img.leaflet-tile-loaded').first()).toBeVisible()
    await expect(page.getByText('© Tiles <b>of</b> the test')).toBeVisible()
    expect(tiles.asked.some(({ path }) => /^\/4\/\d+\/\d+\.png$/.test(path))).toBe(true)
    // The referrer names the site, and nothing of the page.
    expect(new Set(tiles.asked.map(({ referer }) => referer))).toEqual(new Set([`${system.httpUrl}/`]))
    // The policy admits tiles, and nothing else from there.
    const other = new URL('/', tiles.url.replace(/\{.*$/, '')).href
    expectRefused('Content Security Policy')
    const isRefused = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      other,
    )
    expect(isRefused).toBe(true)

    // The small map of a device with a position begins at zoom 10 (rules/map 1).
    await page.goto(`${system.httpUrl}/devices`)
    await page.getByRole('link', { name: 'Details' }).first().click()
    await expect(page.locator('img.leaflet-tile-loaded').first()).toBeVisible()
    await expect.poll(() => tiles.asked.filter(({ path }) => path.startsWith('/10/')).length).toBeGreaterThan(0)
    await page.goto(`${system.httpUrl}/locations`)
    await expect(page.getByText('© Tiles <b>of</b> the test')).toBeVisible()

    tiles.breakDown()
    expectRefused('503')
    await page.reload()
    await expect(page.getByText('The map tiles could not be loaded. Outlines are shown instead.')).toBeVisible()
    await expect(page.locator('img.leaflet-tile')).toHaveCount(0)
    await expect(page.locator('.leaflet-ground-pane canvas')).toBeVisible()
    await expect(page.getByText('© Tiles')).toHaveCount(0)
    await page.close()
  } finally {
    await system.stop()
    await tiles.stop()
  }
})
