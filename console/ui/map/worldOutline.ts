import L from 'leaflet'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

type World = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>

let world: Promise<World> | undefined

/** Outlines of the countries, bundled: the map works where no tile server may be asked. */
function readWorld(): Promise<World> {
  world ??= import('world-atlas/countries-50m.json').then((file) => file.default as unknown as World)
  return world
}

/** Land and borders in the colours of the page; a later call draws them anew, e.g. after a change of the theme. */
export async function drawWorldOutline(map: L.Map, group: L.LayerGroup): Promise<void> {
  // A map without land still takes clicks; without a canvas there is nothing to draw the land on.
  if (!document.createElement('canvas').getContext('2d')) return
  const topology = await readWorld()
  const { land, countries } = topology.objects
  const colour = (name: string) => getComputedStyle(map.getContainer()).getPropertyValue(name).trim()
  const shared = { interactive: false, renderer: L.canvas({ padding: 0.5 }) }
  group.clearLayers()
  // Stroking each country would also draw the edges at which the world was cut open.
  group.addLayer(
    L.geoJSON(feature(topology, land), {
      ...shared,
      style: { stroke: false, fill: true, fillColor: colour('--map-land'), fillOpacity: 1 },
    } as L.GeoJSONOptions),
  )
  group.addLayer(
    L.geoJSON(mesh(topology, countries as never), {
      ...shared,
      style: { color: colour('--map-border'), weight: 1, fill: false },
    } as L.GeoJSONOptions),
  )
}
