/** What is drawn, in the order in which it is drawn. */
export const AREAS = ['land', 'green', 'built', 'water', 'building'] as const
export type Area = (typeof AREAS)[number]
export const LINES = ['river', 'rail', 'path', 'minor', 'major', 'highway'] as const
export type Line = (typeof LINES)[number]

const BUILT = [
  ...['residential', 'industrial', 'commercial', 'retail', 'urban_area', 'railway', 'school', 'hospital', 'university'],
  ...['college', 'aerodrome', 'military', 'pedestrian'],
]
const GREEN = [
  ...['park', 'forest', 'wood', 'nature_reserve', 'national_park', 'grass', 'grassland', 'meadow', 'cemetery'],
  ...['golf_course', 'scrub', 'recreation_ground', 'garden', 'playground', 'pitch', 'village_green', 'allotments'],
]
const ROADS: Readonly<Record<string, Line>> = {
  highway: 'highway',
  major_road: 'major',
  medium_road: 'major',
  minor_road: 'minor',
  other: 'path',
  path: 'path',
  rail: 'rail',
}

/** Names of layers and kinds are those of Protomaps (https://docs.protomaps.com/basemaps/layers). */
export function areaOf(layer: string, kind: unknown): Area | undefined {
  if (layer === 'earth') return 'land'
  if (layer === 'water') return 'water'
  if (layer === 'buildings') return 'building'
  if (layer !== 'landuse' && layer !== 'landcover') return undefined
  if (BUILT.includes(String(kind))) return 'built'
  return GREEN.includes(String(kind)) ? 'green' : undefined
}

export function lineOf(layer: string, kind: unknown): Line | undefined {
  if (layer === 'water') return 'river'
  if (layer === 'transit') return kind === 'rail' ? 'rail' : undefined
  return layer === 'roads' ? ROADS[String(kind)] : undefined
}

/** The width in pixels at zoom 10 and at zoom 16, and the zoom from which the line is drawn. */
const WIDTHS: Readonly<Record<Line, readonly [at10: number, at16: number, from: number]>> = {
  river: [1, 4, 6],
  rail: [0.8, 1.6, 8],
  path: [0.3, 1.6, 14],
  minor: [0.4, 5, 11],
  major: [1.2, 8, 7],
  highway: [2, 11, 4],
}

/** @returns 0 where the line is not drawn yet */
export function lineWidthPx(line: Line, zoom: number): number {
  const [at10, at16, from] = WIDTHS[line]
  return zoom < from ? 0 : at10 * (at16 / at10) ** ((zoom - 10) / 6)
}

/** Streets have names from this zoom. */
const NAMED_FROM: Readonly<Partial<Record<Line, number>>> = { highway: 11, major: 13, minor: 14.5, path: 16 }
export const isNamedAt = (line: Line, zoom: number) => zoom >= (NAMED_FROM[line] ?? Number.POSITIVE_INFINITY)
