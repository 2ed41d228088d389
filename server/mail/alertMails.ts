import type pg from 'pg'
import { foldDue } from '#server/incidents/foldDue.ts'
import {
  type ClaimedMessage,
  claimMessages,
  nextDueAt,
  noteFailed,
  noteSent,
  readMessage,
  wakeWaiting,
} from './alertMailRows.ts'
import { alertMail } from './alertMailWords.ts'
import { expandNotices, gatherMails, nextNoticeAt } from './alertNotices.ts'
import { alertPicture, type ReadReadings } from './alertPicture.ts'
import { nextReleaseAt, releaseHeld } from './heldAlerts.ts'
import { isOfOne, type MailedIncident } from './incidentMailWords.ts'
import { nameIncidents } from './incidentNews.ts'
import { expandTurns, nextTurnAt } from './incidentTurns.ts'
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
  async function pictureOf(message: ClaimedMessage, incidents: readonly MailedIncident[], now: Date) {
    const [incident] = incidents
    if (!readings || !incident || !isOfOne(incident) || incidents.length > 1 || message.kind !== 'alert')
      return undefined
    try {
      return await alertPicture(incident.cause, readings, now)
    } catch (error) {
      log.warn({ messageId: message.messageId, reason: String(error) }, 'A mail goes without its chart.')
      return undefined
    }
  }

  return {
    prepare: async (connection, now) => {
      // Every alert that is told of has its incident first, and nobody folds until this transaction ends.
      while ((await foldDue(connection, now)).hasMore);
      await nameIncidents(connection)
      while (!(await expandNotices(connection, now, idDomain)));
      await releaseHeld(connection, now, idDomain)
      await expandTurns(connection, now, idDomain)
      // Versions before this one look there for what turned.
      await connection.query('delete from alert_turn where next_at <= $1', [now])
      await gatherMails(connection, now, idDomain)
    },
    claim: async (connection, now, atMost) =>
      (await claimMessages(connection, now, atMost)).map((message) => ({
        messageId: message.messageId,
        compose: async (at) => {
          const { to, incidents } = await readMessage(pool, message, at)
          if (incidents.length === 0) return undefined
          const picture = await pictureOf(message, incidents, at)
          return { to, picture, ...alertMail(message.kind, incidents, consoleUrl, picture !== undefined) }
        },
        noteSent: (at, file) => noteSent(pool, message.messageId, at, file),
        noteFailed: (at, failure) => noteFailed(pool, message, at, failure),
      })),
    nextDueAt: async () => {
      const moments = await Promise.all([nextDueAt(pool), nextTurnAt(pool), nextReleaseAt(pool), nextNoticeAt(pool)])
      return moments.reduce((one, other) => (one && other && other < one ? other : (one ?? other)), undefined)
    },
    wake: (now) => wakeWaiting(pool, now),
  }
}
