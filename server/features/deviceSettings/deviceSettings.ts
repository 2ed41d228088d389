import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import type { Given } from '../feature.ts'
import { deviceSettingsRoutes } from './deviceSettings.routes.ts'
import { createDeviceSettings } from './deviceSettings.service.ts'
import { createDeviceSettingsStore } from './deviceSettings.store.ts'
import { createSettingChangesStore } from './settingChanges.store.ts'

export const deviceSettingsFeature = ({ pool, db, commands }: Pick<Given, 'pool' | 'db' | 'commands'>) => ({
  routes: deviceSettingsRoutes(
    createDeviceSettings({
      store: createDeviceSettingsStore(db),
      settingChanges: createSettingChangesStore(db),
      answerSeconds: commands.answerSeconds,
      outcome: (deviceId, commandId) => commands.outcome(deviceId, commandId),
      settingsChanged: (deviceId) => commands.settingsChanged(deviceId),
      holidays: (deviceId, daysAhead) => holidaysOfDevice(pool, deviceId, daysAhead),
    }),
  ),
})
