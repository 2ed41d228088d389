import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, expect, test } from 'vitest'
import { archiveTileId } from '#domain/map/tileArchive.ts'
import { readConfig } from '#server/settings/config.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { tileIdOf, writeMapArchive } from '#testing/map/mapArchive.ts'

const folder = mkdtempSync(join(tmpdir(), 'wayside-map-'))
afterAll(() => rmSync(folder, { recursive: true }))

const street = (name: string) => ({
  roads: [
    {
      kind: 'line',
      points: [
        [0, 0],
        [4096, 4096],
      ],
      tags: { kind: 'minor_road', name },
    },
  ] as const,
})
const places = [0, 1, 2, 3].flatMap((column) => [0, 1, 2, 3].map((row) => ({ column, row })))
const archive = writeMapArchive(
  places.filter(({ row }) => row !== 3).map((at) => ({ zoom: 2, ...at, layers: street(`${at.column} ${at.row}`) })),
  { tilesOfLeaf: 3 },
)
const path = join(folder, 'town.pmtiles')
writeFileSync(path, archive)
const { mapTiles } = readConfig({ WAYSIDE_MAP_TILES: path })
const api = await apiTest({ config: { mapTiles } })
const tile = (at: string) => api.app.inject(`/map-tiles/${mapTiles?.version}/${at}`)

test('tiles are numbered as the format says', () => {
  for (const zoom of [0, 1, 2, 3, 5]) {
    for (let column = 0; column < 2 ** zoom; column += 3) {
      for (let row = 0; row < 2 ** zoom; row += 2) {
        expect(archiveTileId(zoom, column, row)).toBe(tileIdOf(zoom, column, row))
      }
    }
  }
})

test('a tile comes as it stands in the file, and may be kept', async () => {
  for (const { column, row } of places.filter((at) => at.row !== 3)) {
    const { statusCode, headers, rawPayload } = await tile(`2/${column}/${row}`)
    expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const { layers } = new VectorTile(new PbfReader(gunzipSync(rawPayload)))
    expect(layers.roads?.feature(0).properties).toEqual({ kind: 'minor_road', name: `${column} ${row}` })
  }
})

test('where the file has nothing, the answer is empty; what is no tile is refused', async () => {
  expect((await tile('2/1/3')).statusCode).toBe(204)
  expect((await tile('9/1/3')).statusCode).toBe(204)
  for (const at of ['2/4/0', '2/-1/0', '99/0/0', '2/1e0/0', '2/1.5/0']) {
    expect((await tile(at)).statusCode, at).toBe(404)
  }
  expect((await api.app.inject('/map-tiles/another/2/1/1')).statusCode).toBe(404)
})

test.each([
  ['missing', undefined, 'which cannot be read: there is no such file.'],
  ['text', Buffer.from('no map'), 'which is no PMTiles file.'],
  ['pictures', Buffer.from(archive.with(99, 2)), 'which holds pictures; vector tiles are needed.'],
  ['older', Buffer.from(archive.with(7, 2)), 'which is a PMTiles file of version 2; this program reads version 3.'],
  ['brotli', Buffer.from(archive.with(98, 3)), 'which is compressed otherwise than by gzip.'],
  ['short', archive.subarray(0, 200), 'which is cut off: download it again.'],
  [
    'other',
    writeMapArchive([{ zoom: 0, column: 0, row: 0, layers: {} }], { layerIds: ['transportation'] }),
    'which has no layer "roads": it is not in the scheme of Protomaps.',
  ],
])('a file that is %s is refused with the name of the setting', (name, bytes, why) => {
  const broken = join(folder, name)
  if (bytes) writeFileSync(broken, bytes)
  expect(() => readConfig({ WAYSIDE_MAP_TILES: broken })).toThrow(`WAYSIDE_MAP_TILES names ${broken}, ${why}`)
})

test('a map is drawn from one source', () => {
  const both = { WAYSIDE_MAP_TILES: path, WAYSIDE_TILE_URL: 'https://tiles.example.org/{z}/{x}/{y}.png' }
  expect(() => readConfig(both)).toThrow('Set WAYSIDE_MAP_TILES or WAYSIDE_TILE_URL, not both.')
})
