import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { townArchive } from '../../testing/map/town.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/signIn.ts'
import { startSystem } from '../support/system.ts'

const BODO = { latitude: 67.2804, longitude: 14.4049 }

test('streets of a map file lie on the map in the colours of the theme, with their names and source', async ({
  browser,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-map-'))
  const path = join(folder, 'town.pmtiles')
  writeFileSync(path, townArchive(BODO))
  const system = await startSystem(3, { WAYSIDE_MAP_TILES: path })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await signIn(page, 'admin', system, `/locations?at=${BODO.latitude}_${BODO.longitude}_15`)
    await expect(page.getByText('© OpenStreetMap contributors (ODbL) · Protomaps')).toBeVisible()
    const tiles = page.locator('.leaflet-streets-pane canvas')
    await expect(tiles.first()).toBeVisible()
    await expect(page.locator('.map-streets-names')).toHaveAttribute('data-names', /Storgata/)
    expect(asked.some((url) => /\/map-tiles\/[0-9a-f]{12}\/14\/\d+\/\d+$/.test(url))).toBe(true)
    // Nothing is asked from outside.
    expect(asked.filter((url) => !url.startsWith(system.httpUrl) && !/^(data|blob):/.test(url))).toEqual([])
    const colourOf = () =>
      tiles.evaluateAll((canvases) =>
        canvases
          .map((canvas) => (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(3, 3, 1, 1).data.join())
          .join(' '),
      )
    const dark = await colourOf()
    await page.evaluate(() => localStorage.setItem('wayside.theme', 'white'))
    await page.reload()
    await expect(page.getByText('© OpenStreetMap contributors (ODbL) · Protomaps')).toBeVisible()
    await expect.poll(async () => (await colourOf()) !== dark).toBe(true)
    await page.close()
  } finally {
    await system.stop()
    rmSync(folder, { recursive: true })
  }
})
