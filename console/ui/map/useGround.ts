import L from 'leaflet'
import { useEffect, useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useScheme } from '#console/ui/scheme.ts'
import { getConsoleSettings } from '#contract/http/consoleSettings.ts'
import { showTiles, type TileState } from './mapTiles.ts'
import { drawWorldOutline, OUTLINE_PANE } from './worldOutline.ts'

/** Below the tiles of Leaflet, which lie at 200. */
const OUTLINE_LEVEL = '150'
/** Closer the outlines say nothing any more, but devices of one town still come apart. */
const CLOSEST_WITHOUT_TILES = 14
const CLOSEST_WITH_TILES = 18

export interface Ground {
  /** Whom to name for what is shown; absent without tiles. */
  readonly attribution?: string
  readonly hasTrouble: boolean
}

/** What lies under everything: outlines of the world, and tiles over them where a server for these is configured. */
export function useGround(map: L.Map | undefined): Ground {
  const scheme = useScheme()
  const tiles = useCall(getConsoleSettings, {}, { freshMs: Number.POSITIVE_INFINITY }).data?.tiles
  const [state, setState] = useState<TileState>('loading')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the page change with the scheme
  useEffect(() => {
    if (!map) return
    if (!map.getPane(OUTLINE_PANE)) map.createPane(OUTLINE_PANE).style.zIndex = OUTLINE_LEVEL
    const group = L.layerGroup().addTo(map)
    void drawWorldOutline(map, group).catch(() => undefined)
    return () => {
      group.remove()
    }
  }, [map, scheme])

  useEffect(() => (map && tiles ? showTiles(map, tiles, setState) : undefined), [map, tiles])

  const isTiled = tiles !== undefined && state === 'shown'
  useEffect(() => {
    map?.setMaxZoom(isTiled ? CLOSEST_WITH_TILES : CLOSEST_WITHOUT_TILES)
  }, [map, isTiled])

  return {
    hasTrouble: tiles !== undefined && state === 'trouble',
    ...(isTiled && tiles.attribution !== '' ? { attribution: tiles.attribution } : {}),
  }
}
