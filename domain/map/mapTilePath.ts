/** Vector tiles of the map file, empty where it has none; they are open data and public, as the console's own files are. */
export const mapTilePath = (version: string, zoom: number | string, column: number | string, row: number | string) =>
  `/map-tiles/${version}/${zoom}/${column}/${row}`
