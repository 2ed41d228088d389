import type { Given } from '#server/features/feature.ts'
import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { createSettingChangesStore } from './settingChanges.store.ts'
import { deviceSettingsRoutes } from './setup.routes.ts'
import { createDeviceSettings } from './setup.service.ts'
import { createDeviceSettingsStore } from './setup.store.ts'

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
