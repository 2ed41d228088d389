import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import { type Route, route } from '#server/http/call/route.ts'

export interface ConsoleSettings {
  readonly tileUrl: string | undefined
  readonly tileAttribution: string
  readonly supportUrl: string | undefined
}

export const consoleSettingsRoutes = ({ tileUrl, tileAttribution, supportUrl }: ConsoleSettings): readonly Route[] => [
  route(getConsoleSettings, () => ({
    ...(tileUrl === undefined ? {} : { tiles: { url: tileUrl, attribution: tileAttribution } }),
    ...(supportUrl === undefined ? {} : { supportUrl }),
  })),
]
