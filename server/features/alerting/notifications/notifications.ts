import type { Given } from '#server/features/feature.ts'
import { notificationSettingsRoutes } from './notificationSettings.routes.ts'
import { createNotificationSettings } from './notificationSettings.service.ts'
import { createNotificationSettingsStore } from './notificationSettings.store.ts'

export const notificationsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: notificationSettingsRoutes(createNotificationSettings(createNotificationSettingsStore(db))),
})
