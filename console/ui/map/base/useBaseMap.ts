import type L from 'leaflet'
import { useEffect, useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useScheme } from '#console/ui/style/scheme.ts'
import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import { STREETS_PANE } from '../streets/streetsPane.ts'
import { GROUND_PANE, showBaseMap } from './baseMapLayer.ts'
import { GROUND_SOURCES } from './groundSources.ts'
import { boxesInView, PINS_SHOWN } from './mapObstacles.ts'
import { showTiles, type TileState } from './mapTiles.ts'
import { NAMES_PANE, showPlaceNames } from './placeNames.ts'

/** These panes lie below the tiles of Leaflet, which lie at 200. */
const LEVELS = { [GROUND_PANE]: '150', [STREETS_PANE]: '155', [NAMES_PANE]: '160' }
/** Extracts of Protomaps are OpenStreetMap's data under its licence, which asks for this line. */
const STREETS_SOURCES = '© OpenStreetMap contributors (ODbL) · Protomaps · Places: GeoNames (CC BY 4.0)'
/** Closer outlines show nothing more, but the devices of one town still separate. */
const CLOSEST_WITHOUT_TILES = 14
const CLOSEST_WITH_TILES = 18

export interface BaseMapState {
  /** The sources of what is shown must be named. */
  readonly attribution: string
  readonly hasTrouble: boolean
}

/** It draws land, lakes, borders and names of towns, and tiles over them where a server is configured. */
export function useBaseMap(map: L.Map | undefined): BaseMapState {
  const scheme = useScheme()
  const settings = useCall(getConsoleSettings, {}, { freshMs: Number.POSITIVE_INFINITY })
  const { tiles, mapFile } = settings.data ?? {}
  const isKnown = settings.data !== undefined || settings.isError
  const [state, setState] = useState<TileState>('loading')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the page change with the scheme
  useEffect(() => {
    // A map without land still accepts clicks; without a canvas there is nothing to draw on.
    if (!map || !document.createElement('canvas').getContext('2d')) return
    for (const [name, level] of Object.entries(LEVELS)) {
      if (!map.getPane(name)) map.createPane(name).style.zIndex = level
    }
    const [removeBaseMap, removeNames] = [showBaseMap(map), showPlaceNames(map)]
    return () => {
      removeBaseMap()
      removeNames()
    }
  }, [map, scheme])

  useEffect(() => (map && tiles ? showTiles(map, tiles, setState) : undefined), [map, tiles])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the page change with the scheme
  useEffect(() => {
    if (!map || !mapFile || !document.createElement('canvas').getContext('2d')) return
    // Only a map of streets needs what reads them.
    let remove: (() => void) | undefined
    let isGone = false
    void import('../streets/streetLayer.ts').then(({ showStreets }) => {
      if (!isGone)
        remove = showStreets(map, mapFile, {
          onState: setState,
          pinBoxes: () => boxesInView(map),
          pinsShown: PINS_SHOWN,
        })
    })
    return () => {
      isGone = true
      remove?.()
    }
  }, [map, mapFile, scheme])

  const source = tiles?.attribution ?? (mapFile && STREETS_SOURCES)
  const isTiled = source !== undefined && state === 'shown'
  // An address that leads close must not be led away from while tiles are on their way.
  const isClose = isTiled || !isKnown || (mapFile !== undefined && state === 'loading')
  useEffect(() => {
    map?.setMaxZoom(isClose ? CLOSEST_WITH_TILES : CLOSEST_WITHOUT_TILES)
  }, [map, isClose])

  return {
    hasTrouble: source !== undefined && state === 'trouble',
    attribution: isTiled ? source : GROUND_SOURCES,
  }
}
