import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'

/** What a user is told outside the console. */
export const notificationSettings = z.object({
  /** Alert e-mails; only users with the function ReceiveEmailNotifications get any. */
  isEmailOn: z.boolean(),
  /** Where they go; empty: nowhere. */
  email: z.string(),
  /** Whether the user's role lets them be told at all. */
  mayReceive: z.boolean(),
})
export type NotificationSettings = z.output<typeof notificationSettings>

export const getNotificationSettings = call({
  method: 'GET',
  path: 'App/GetNotificationSettings',
  summary: 'Whether and where oneself is told of alerts.',
  permission: 'signedIn',
  shows: ['User'],
  query: nothing,
  body: nothing,
  answer: notificationSettings,
  errors: [],
})

export const setNotificationSettings = call({
  method: 'POST',
  path: 'App/SetNotificationSettings',
  summary: "Switch one's own alert e-mails on or off.",
  permission: 'signedIn',
  query: nothing,
  body: z.strictObject({ isEmailOn: z.boolean() }),
  answer: notificationSettings,
  errors: [],
  changes: { action: 'Update', entity: 'User' },
})
