import type { NotificationSettings } from '#contract/http/people/account.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { NotificationSettingsStore } from './notificationSettings.store.ts'

export interface NotificationSettingsService {
  readonly get: (caller: Caller) => Promise<NotificationSettings>
  readonly set: (isEmailOn: boolean, caller: Caller, change: ChangeRecord) => Promise<NotificationSettings>
}

/** Reads and sets the caller's own switch for alert mails. Switching it off also discards mails that wait. */
export function createNotificationSettings(store: NotificationSettingsStore): NotificationSettingsService {
  const mayReceive = ({ functions }: Caller) => functions.includes(FUNCTION.receiveEmailNotifications)
  return {
    get: async (caller) => {
      const found = await store.find(caller.userId)
      if (!found) throw notFound()
      return { ...found, mayReceive: mayReceive(caller) }
    },

    set: (isEmailOn, caller, change) => {
      const { userId, username, customerId } = caller
      change.about({ id: userId, name: username })
      return store.transaction(async (transaction) => {
        const before = await store.find(userId, transaction)
        if (!before) throw notFound()
        await store.set(userId, isEmailOn, transaction)
        await change.done(transaction, {
          ...(customerId !== undefined && { customerId }),
          before: { isEmailOn: before.isEmailOn },
          after: { isEmailOn },
        })
        return { ...before, isEmailOn, mayReceive: mayReceive(caller) }
      })
    },
  }
}
