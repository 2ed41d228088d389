import type pg from 'pg'
import type { IncidentId, UserId } from '#domain/ids.ts'
import { foldDue } from '#server/incidents/foldDue.ts'
import type { DueMail, MailSource, MailSourceDeps } from '../sending/mailSource.ts'
import {
  type ClaimedMessage,
  claimMessages,
  type MessageContent,
  nextDueAt,
  noteFailed,
  noteSent,
  readMessage,
  wakeWaiting,
} from './alertMailRows.ts'
import { alertMail } from './alertMailTexts.ts'
import { expandNotices, gatherMails, nextNoticeAt } from './alertNotices.ts'
import { alertPicture, type ReadReadings } from './alertPicture.ts'
import { nextReleaseAt, releaseHeld } from './heldAlerts.ts'
import { nextIncidentMailAt, scheduleIncidentMails } from './incidentMailSchedule.ts'
import { isOfOne, type MailedIncident } from './incidentMailTexts.ts'
import { nameIncidents } from './incidentNews.ts'

export type JudgeIncidents = (connection: pg.ClientBase, now: Date) => Promise<boolean>
export type AcknowledgeLink = (userId: UserId, incidentId: IncidentId, now: Date) => Promise<string>

export interface AlertMailDeps extends MailSourceDeps {
  /** Reads what devices reported, for the charts; without it mails have none. */
  readonly readings?: ReadReadings | undefined
  readonly judge: JudgeIncidents
  readonly acknowledgeLink: AcknowledgeLink
  readonly log: { warn(details: object, sentence: string): void }
}

/** Makes mails of alerts: notices become messages, and many at once are gathered. */
export const alertMailSource = (deps: AlertMailDeps): MailSource => ({
  prepare: (connection, now) => prepare(deps, connection, now),
  claim: async (connection, now, atMost) =>
    (await claimMessages(connection, now, atMost)).map((message) => dueMail(deps, message)),
  nextDueAt: async () => {
    const { pool } = deps
    const moments = await Promise.all([
      nextDueAt(pool),
      nextIncidentMailAt(pool),
      nextReleaseAt(pool),
      nextNoticeAt(pool),
    ])
    return moments.reduce((one, other) => (one && other && other < one ? other : (one ?? other)), undefined)
  },
  wake: (now) => wakeWaiting(deps.pool, now),
})

async function prepare({ judge, idDomain }: AlertMailDeps, connection: pg.ClientBase, now: Date): Promise<void> {
  // Every alert must have its incident before anybody is notified; nobody else folds until this transaction ends.
  while ((await foldDue(connection, now)).hasMore);
  // Routes must have decided whom to notify.
  while (await judge(connection, now));
  await nameIncidents(connection)
  while (!(await expandNotices(connection, now, idDomain)));
  await releaseHeld(connection, now, idDomain)
  await scheduleIncidentMails(connection, now, idDomain)
  // Earlier versions read changed alerts there.
  await connection.query('delete from alert_turn where next_at <= $1', [now])
  await gatherMails(connection, now, idDomain)
}

function dueMail(deps: AlertMailDeps, message: ClaimedMessage): DueMail {
  const { pool, consoleUrl } = deps
  let incidents: readonly MailedIncident[] = []
  return {
    messageId: message.messageId,
    compose: async (now) => {
      const content = await readMessage(pool, message, now)
      if (content === undefined) return undefined
      incidents = content.incidents
      if (incidents.length === 0) return undefined
      const picture = await pictureOf(deps, message, incidents, now)
      return {
        to: content.to,
        picture,
        ...alertMail(message.kind, incidents, {
          consoleUrl,
          hasPicture: picture !== undefined,
          isOnCall: content.isOnCall,
          acknowledgeLink: await linkFor(deps, content, now),
        }),
      }
    },
    noteSent: (now, file) => noteSent(pool, message.messageId, { now, file, incidents }),
    noteFailed: (now, failure) => noteFailed(pool, message, now, failure),
  }
}

/** A mail without its picture is better than no mail. */
async function pictureOf(
  { readings, log }: AlertMailDeps,
  { kind, messageId }: ClaimedMessage,
  [incident, ...others]: readonly MailedIncident[],
  now: Date,
): Promise<Buffer | undefined> {
  if (!readings || !incident || !isOfOne(incident) || others.length > 0 || kind !== 'alert') return undefined
  try {
    return await alertPicture(incident.cause, readings, now)
  } catch (error) {
    log.warn({ messageId, reason: String(error) }, 'A mail goes without its chart.')
    return undefined
  }
}

/** Only one person who is on call gets a link, for one incident without an owner. */
async function linkFor(
  { acknowledgeLink }: AlertMailDeps,
  { userId, isOnCall, incidents }: MessageContent,
  now: Date,
): Promise<string | undefined> {
  const [incident] = incidents
  if (!isOnCall || !incident || incidents.length > 1 || incident.isOver || !incident.canBeAcknowledged) return undefined
  return acknowledgeLink(userId, incident.id, now)
}
