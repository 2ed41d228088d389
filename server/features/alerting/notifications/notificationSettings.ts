import { getNotificationSettings, setNotificationSettings } from '#contract/http/people/account.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import type { Given } from '#server/features/feature.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { findEmailSwitch, lockEmailSwitch, setEmailSwitch } from './notificationSettings.store.ts'

const mayReceive = ({ functions }: Caller) => functions.includes(FUNCTION.receiveEmailNotifications)

/** Reads and sets the caller's own switch for alert mails. Switching it off also discards mails that wait. */
export const notificationSettingsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(getNotificationSettings, async ({ caller }) => ({
      ...(await foundRow(findEmailSwitch(db, caller.userId))),
      mayReceive: mayReceive(caller),
    })),
    route(setNotificationSettings, ({ body: { isEmailOn }, caller, change }) => {
      const { userId, username, customerId } = caller
      change.about({ id: userId, name: username })
      return db.transaction().execute(async (transaction) => {
        const before = await foundRow(lockEmailSwitch(transaction, userId))
        await setEmailSwitch(transaction, userId, isEmailOn)
        await change.done(transaction, {
          ...(customerId !== undefined && { customerId }),
          before: { isEmailOn: before.isEmailOn },
          after: { isEmailOn },
        })
        return { ...before, isEmailOn, mayReceive: mayReceive(caller) }
      })
    }),
  ],
})
