import type { Given } from '#server/features/feature.ts'
import { consoleSettingsRoutes } from './consoleSettings.routes.ts'

export const consoleSettingsFeature = ({ config }: Pick<Given, 'config'>) => ({ routes: consoleSettingsRoutes(config) })
