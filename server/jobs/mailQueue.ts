import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inTransaction } from '../db/transaction.ts'
import { alertMail } from '../mail/alertMails.ts'
import { type Mailer, MailFailure } from '../mail/mailer.ts'
import type { Job } from './leader.ts'
import { type ClaimedMessage, claimMessages, noteFailed, noteSent, readMessage, wakeWaiting } from './mailRows.ts'
import { expandNotices, gatherMails } from './notices.ts'

const EVERY_MS = 1_000
/** Any number nobody else uses. */
const QUEUE_LOCK = 7_721
const AT_ONCE = 4
/** A try that takes longer has failed. */
const LONGEST_TRY_MS = 20_000
/** While the mail server takes nothing, it is asked this often, by one mail. */
const REST_MS = 30_000
const MARKED_AGAIN_AFTER_MS = 1_000
const MOST_MARKS = 30
/** Of the two seconds that a stop may take. */
const STOP_WAITS_MS = 1_200

export interface MailQueueNeeds {
  readonly pool: pg.Pool
  readonly mailer: Mailer
  /** The part after the @ of every Message-ID. */
  readonly idDomain: string
  /** Where people reach the console. */
  readonly consoleUrl: string
  readonly log: { warn(details: object, sentence: string): void }
  readonly now?: () => Date
}

/**
 * Sends what alerts have to tell: at least once, each message with one Message-ID for all tries, marked as sent as soon
 * as it was accepted (decisions: E-mail). Whatever the mail server does, nothing else waits for it: the job only starts
 * a round, and no connection to the database is held while a mail is on its way.
 */
export class MailQueue {
  readonly #needs: MailQueueNeeds
  readonly #stopping = new AbortController()
  #round: Promise<void> | undefined
  #isStopped = false
  /** While the mail server takes nothing. */
  #restsUntil: Date | undefined
  /** Messages may wait for a server that came back while no queue ran. */
  #mayWait = true

  constructor(needs: MailQueueNeeds) {
    this.#needs = needs
  }

  readonly job: Job = {
    name: 'mails',
    everyMs: EVERY_MS,
    run: async () => {
      this.#round ??= this.sendDue()
        .catch((error: unknown) => this.#needs.log.warn({ error: String(error) }, 'Mails could not be looked after.'))
        .finally(() => {
          this.#round = undefined
        })
    },
  }

  /** Sends everything that is due, until nothing is or the mail server takes nothing. */
  async sendDue(): Promise<void> {
    while (!this.#isStopped) {
      const claimed = await this.#prepare()
      if (claimed.length === 0) return
      const settled = await Promise.allSettled(claimed.map((message) => this.#send(message)))
      await this.#judge(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
      const broken = settled.find((result) => result.status === 'rejected')
      if (broken) throw broken.reason
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const timer = setTimeout(() => this.#stopping.abort(), STOP_WAITS_MS)
    await this.#round
    clearTimeout(timer)
  }

  get #now(): Date {
    return this.#needs.now?.() ?? new Date()
  }

  /** Notices become messages, crowded ones are gathered, and some are claimed. */
  async #prepare(): Promise<ClaimedMessage[]> {
    const { pool, idDomain } = this.#needs
    const now = this.#now
    const isResting = this.#restsUntil !== undefined && now < this.#restsUntil
    const atMost = isResting ? 0 : this.#restsUntil ? 1 : AT_ONCE
    return inTransaction(pool, async (connection) => {
      // The queue of a process that has just lost the lead may still run: a mail is not to change while it goes out.
      await connection.query('select pg_advisory_xact_lock($1)', [QUEUE_LOCK])
      while (!(await expandNotices(connection, now, idDomain)));
      await gatherMails(connection, now, idDomain)
      return atMost === 0 ? [] : claimMessages(connection, now, atMost)
    })
  }

  /** @returns undefined when there was nothing to send after all */
  async #send(message: ClaimedMessage): Promise<'sent' | MailFailure | undefined> {
    const { pool, mailer, consoleUrl, log } = this.#needs
    const { to, alerts } = await readMessage(pool, message, this.#now)
    if (alerts.length === 0) return undefined
    const mail = { messageId: message.messageId, to, ...alertMail(message.kind, alerts, consoleUrl) }
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(LONGEST_TRY_MS)])
    try {
      const { file } = await mailer.send(mail, signal)
      await this.#markSent(message, file)
      return 'sent'
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      await noteFailed(pool, message, this.#now, error)
      log.warn({ messageId: message.messageId, kind: error.kind, reason: error.message }, 'A mail was not accepted.')
      return error
    }
  }

  /** It is out and cannot be taken back: a database that stumbles just now is to learn of it all the same. */
  async #markSent({ messageId }: ClaimedMessage, file: string | undefined): Promise<void> {
    for (let marks = 1; ; marks++) {
      try {
        return await noteSent(this.#needs.pool, messageId, this.#now, file)
      } catch (error) {
        if (this.#isStopped || marks >= MOST_MARKS) throw error
        await sleep(MARKED_AGAIN_AFTER_MS)
      }
    }
  }

  async #judge(results: readonly ('sent' | MailFailure | undefined)[]): Promise<void> {
    const answers = results.filter((result) => result !== undefined)
    if (answers.length === 0) return
    if (answers.every((answer) => answer !== 'sent' && answer.kind === 'server')) {
      this.#restsUntil = new Date(this.#now.getTime() + REST_MS)
      this.#mayWait = true
      return
    }
    this.#restsUntil = undefined
    if (!this.#mayWait) return
    await wakeWaiting(this.#needs.pool, this.#now)
    this.#mayWait = false
  }
}
