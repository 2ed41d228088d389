import type pg from 'pg'
import { alertMail } from '../mail/alertMails.ts'
import { claimMessages, noteFailed, noteSent, readMessage, wakeWaiting } from './mailRows.ts'
import type { MailSource } from './mailSource.ts'
import { expandNotices, gatherMails } from './notices.ts'

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
    wake: (now) => wakeWaiting(pool, now),
  }
}
