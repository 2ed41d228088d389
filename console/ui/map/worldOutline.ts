import L from 'leaflet'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type Position, polygonsOnFlatMap, splitAtDateLine } from './dateLine.ts'

type World = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>

interface MultiPolygon {
  readonly type: 'MultiPolygon'
  readonly coordinates: Position[][][]
}

interface MultiLineString {
  readonly type: 'MultiLineString'
  readonly coordinates: Position[][]
}

interface Outline {
  readonly land: MultiPolygon
  /** Coasts too. */
  readonly borders: MultiLineString
}

/** Of its own, below tiles. */
export const OUTLINE_PANE = 'outline'

let outline: Promise<Outline> | undefined

/** Outlines of the countries, bundled: the map works where no tile server may be asked. */
function readOutline(): Promise<Outline> {
  outline ??= import('world-atlas/countries-50m.json').then((file) => outlineOf(file.default as unknown as World))
  return outline
}

function outlineOf(topology: World): Outline {
  const { land, countries } = topology.objects
  const shapes = feature(topology, land).features.map(({ geometry }) => geometry as MultiPolygon)
  const borders = mesh(topology, countries as never)
  return {
    land: {
      type: 'MultiPolygon',
      coordinates: shapes.flatMap((shape) => shape.coordinates.flatMap(polygonsOnFlatMap)),
    },
    borders: { type: 'MultiLineString', coordinates: borders.coordinates.flatMap(splitAtDateLine) },
  }
}

/** Land and borders in the colours of the page; a later call draws them anew, e.g. after a change of the theme. */
export async function drawWorldOutline(map: L.Map, group: L.LayerGroup): Promise<void> {
  // A map without land still takes clicks; without a canvas there is nothing to draw the land on.
  if (!document.createElement('canvas').getContext('2d')) return
  const { land, borders } = await readOutline()
  const colour = (name: string) => getComputedStyle(map.getContainer()).getPropertyValue(name).trim()
  const renderer = L.canvas({ padding: 0.5, pane: OUTLINE_PANE })
  const layer = (shape: MultiPolygon | MultiLineString, style: L.PathOptions) =>
    L.geoJSON(shape, { interactive: false, renderer, style } as L.GeoJSONOptions)
  group.clearLayers()
  // Stroking each country would also draw the edges at which the world was cut open.
  group.addLayer(layer(land, { stroke: false, fill: true, fillColor: colour('--map-land'), fillOpacity: 1 }))
  group.addLayer(layer(borders, { color: colour('--map-border'), weight: 1, fill: false }))
}
