import type pg from 'pg'
import { claimMessages, nextDueAt, noteFailed, noteSent, readMessage, wakeWaiting } from './alertMailRows.ts'
import { alertMail } from './alertMailWords.ts'
import { expandNotices, gatherMails } from './alertNotices.ts'
import type { MailSource } from './mailSource.ts'

export interface AlertMailNeeds {
  readonly pool: pg.Pool
  readonly idDomain: string
  readonly consoleUrl: string
}

/** What alerts have to tell: notices become messages, and crowded ones are gathered. */
export function alertMailSource({ pool, idDomain, consoleUrl }: AlertMailNeeds): MailSource {
  return {
    prepare: async (connection, now) => {
      while (!(await expandNotices(connection, now, idDomain)));
      await gatherMails(connection, now, idDomain)
    },
    claim: async (connection, now, atMost) =>
      (await claimMessages(connection, now, atMost)).map((message) => ({
        messageId: message.messageId,
        compose: async (at) => {
          const { to, alerts } = await readMessage(pool, message, at)
          return alerts.length === 0 ? undefined : { to, ...alertMail(message.kind, alerts, consoleUrl) }
        },
        noteSent: (at, file) => noteSent(pool, message.messageId, at, file),
        noteFailed: (at, failure) => noteFailed(pool, message, at, failure),
      })),
    nextDueAt: () => nextDueAt(pool),
    wake: (now) => wakeWaiting(pool, now),
  }
}
