import type { Given } from '#server/features/feature.ts'
import { notificationSettingsRoutes } from './notificationSettings.routes.ts'
import { createNotificationSettings } from './notificationSettings.service.ts'
import { createNotificationSettingsStore } from './notificationSettings.store.ts'

/** Who is told of alerts by mail. */
export const notificationsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: notificationSettingsRoutes(createNotificationSettings(createNotificationSettingsStore(db))),
})
