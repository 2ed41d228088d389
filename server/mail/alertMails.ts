import type pg from 'pg'
import {
  type ClaimedMessage,
  claimMessages,
  nextDueAt,
  noteFailed,
  noteSent,
  readMessage,
  wakeWaiting,
} from './alertMailRows.ts'
import { alertMail, type MailedAlert } from './alertMailWords.ts'
import { expandNotices, gatherMails } from './alertNotices.ts'
import { alertPicture, type ReadReadings } from './alertPicture.ts'
import { expandTurns, nextTurnAt } from './alertTurns.ts'
import type { MailSource } from './mailSource.ts'

export interface AlertMailNeeds {
  readonly pool: pg.Pool
  readonly idDomain: string
  readonly consoleUrl: string
  /** What devices reported, for the pictures; absent: mails have none. */
  readonly readings?: ReadReadings | undefined
  readonly log: { warn(details: object, sentence: string): void }
}

/** What alerts have to tell: notices become messages, and crowded ones are gathered. */
export function alertMailSource({ pool, idDomain, consoleUrl, readings, log }: AlertMailNeeds): MailSource {
  /** A mail without its picture is worth more than none. */
  async function pictureOf(message: ClaimedMessage, alerts: readonly MailedAlert[], now: Date) {
    const [alert] = alerts
    if (!readings || !alert || alerts.length > 1 || message.kind !== 'alert') return undefined
    try {
      return await alertPicture(alert, readings, now)
    } catch (error) {
      log.warn({ messageId: message.messageId, reason: String(error) }, 'A mail goes without its chart.')
      return undefined
    }
  }

  return {
    prepare: async (connection, now) => {
      while (!(await expandNotices(connection, now, idDomain)));
      await expandTurns(connection, now, idDomain)
      await gatherMails(connection, now, idDomain)
    },
    claim: async (connection, now, atMost) =>
      (await claimMessages(connection, now, atMost)).map((message) => ({
        messageId: message.messageId,
        compose: async (at) => {
          const { to, alerts } = await readMessage(pool, message, at)
          if (alerts.length === 0) return undefined
          const picture = await pictureOf(message, alerts, at)
          return { to, picture, ...alertMail(message.kind, alerts, consoleUrl, picture !== undefined) }
        },
        noteSent: (at, file) => noteSent(pool, message.messageId, at, file),
        noteFailed: (at, failure) => noteFailed(pool, message, at, failure),
      })),
    nextDueAt: async () => {
      const [mailAt, turnAt] = await Promise.all([nextDueAt(pool), nextTurnAt(pool)])
      return mailAt && turnAt ? (mailAt < turnAt ? mailAt : turnAt) : (mailAt ?? turnAt)
    },
    wake: (now) => wakeWaiting(pool, now),
  }
}
