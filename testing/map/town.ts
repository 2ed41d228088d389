import { type ArchiveTile, writeMapArchive } from './mapArchive.ts'
import type { TileFeature, TilePoint } from './vectorTile.ts'

interface Place {
  readonly latitude: number
  readonly longitude: number
}

const EXTENT = 4096
const ZOOMS = [8, 9, 10, 11, 12, 13, 14]
/** The town is so many tiles of the closest zoom wide. */
const AROUND = 3

/** Writes the map of a town that does not exist: streets in a grid, a river, a railway, and blocks of houses. */
export function townArchive(middle: Place): Buffer {
  return writeMapArchive(
    ZOOMS.flatMap((zoom) => tilesAt(zoom, middle)),
    { tilesOfLeaf: 20 },
  )
}

function tilesAt(zoom: number, middle: Place): ArchiveTile[] {
  const [x, y] = project(middle, zoom).map(Math.floor) as [number, number]
  const around = Math.max(1, Math.ceil(AROUND / 2 ** (14 - zoom)))
  const steps = Array.from({ length: 2 * around + 1 }, (_, index) => index - around)
  return steps.flatMap((right) =>
    steps.map((down) => ({ zoom, column: x + right, row: y + down, layers: layersOf(zoom, right, down) })),
  )
}

const NAMES = [
  ...['Sjøgata', 'Storgata', 'Kongens gate', 'Havnegata', 'Skippergata', 'Torvgata', 'Parkveien', 'Prinsens gate'],
]
const area = (kind: string, ...points: TilePoint[]): TileFeature => ({ kind: 'polygon', points, tags: { kind } })
const line = (kind: string, name: string, ...points: TilePoint[]): TileFeature => ({
  kind: 'line',
  points,
  tags: name === '' ? { kind } : { kind, name },
})
const WHOLE: TilePoint[] = [0, 1, 2, 3].map(
  (corner): TilePoint => [(corner % 3 === 0 ? 0 : 1) * EXTENT, (corner > 1 ? 1 : 0) * EXTENT],
)

function layersOf(zoom: number, right: number, down: number) {
  const sea = area('ocean', [0, 3000], [1400, 3300], [EXTENT, 2800], [EXTENT, EXTENT], [0, EXTENT])
  const bend = 900 + right * 20
  return {
    earth: [area('earth', ...WHOLE)],
    landuse: [area('residential', ...WHOLE), area('park', [200, 200], [1200, 260], [1100, 1300], [240, 1200])],
    water: [...(down > 0 ? [sea] : []), line('river', '', [0, bend], [1500, 1500], [2600, 1300], [EXTENT, bend])],
    roads: [
      ...streetsOf(2 ** Math.max(0, zoom - 12)),
      line('major_road', 'Riksvei 80', [0, 2300], [EXTENT, 2000]),
      line('highway', 'E 6', [2700, 0], [2500, EXTENT]),
      line('rail', '', [0, 2700], [EXTENT, 2450]),
    ],
  }
}

function streetsOf(count: number): TileFeature[] {
  return Array.from({ length: count }, (_, index) => ((index + 0.5) / count) * EXTENT).flatMap((at, index) => [
    line('minor_road', NAMES[index % NAMES.length] ?? '', [0, at], [EXTENT, at + 90]),
    line('minor_road', NAMES[(index + 3) % NAMES.length] ?? '', [at, 0], [at - 60, EXTENT]),
  ])
}

function project({ latitude, longitude }: Place, zoom: number): [number, number] {
  const size = 2 ** zoom
  const sine = Math.sin((latitude * Math.PI) / 180)
  return [((longitude + 180) / 360) * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size]
}
