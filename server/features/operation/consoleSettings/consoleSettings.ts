import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import type { Given } from '#server/features/feature.ts'
import { route } from '#server/http/call/route.ts'
import type { MapFile } from '#server/settings/mapFile.ts'

export const consoleSettingsFeature = ({
  config: { tileUrl, tileAttribution, mapTiles, supportUrl },
}: Pick<Given, 'config'>) => ({
  routes: [
    route(getConsoleSettings, () => ({
      ...(tileUrl === undefined ? {} : { tiles: { url: tileUrl, attribution: tileAttribution } }),
      ...(mapTiles === undefined ? {} : { mapFile: shownMapFile(mapTiles) }),
      ...(supportUrl === undefined ? {} : { supportUrl }),
    })),
  ],
})

const shownMapFile = ({ version, header: { minZoom, maxZoom } }: MapFile) => ({ version, minZoom, maxZoom })
