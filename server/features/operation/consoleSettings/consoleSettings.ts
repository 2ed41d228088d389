import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import type { Given } from '#server/features/feature.ts'
import { route } from '#server/http/call/route.ts'

export const consoleSettingsFeature = ({
  config: { tileUrl, tileAttribution, supportUrl },
}: Pick<Given, 'config'>) => ({
  routes: [
    route(getConsoleSettings, () => ({
      ...(tileUrl === undefined ? {} : { tiles: { url: tileUrl, attribution: tileAttribution } }),
      ...(supportUrl === undefined ? {} : { supportUrl }),
    })),
  ],
})
