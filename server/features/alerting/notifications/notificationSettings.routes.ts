import { getNotificationSettings, setNotificationSettings } from '#contract/http/people/account.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { NotificationSettingsService } from './notificationSettings.service.ts'

export const notificationSettingsRoutes = (settings: NotificationSettingsService): readonly Route[] => [
  route(getNotificationSettings, ({ caller }) => settings.get(caller)),
  route(setNotificationSettings, ({ body, caller, change }) => settings.set(body.isEmailOn, caller, change)),
]
