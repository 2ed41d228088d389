import { setTimeout as sleep } from 'node:timers/promises'
import { lockUntilCommit } from '../db/advisoryLocks.ts'
import { inTransaction } from '../db/transaction.ts'
import { type RunEnd, TOLD_EVERY_MS } from '../jobs/JobRunner.ts'
import { JoinedRounds, RETRY_MS, SOON } from '../jobs/JoinedRounds.ts'
import { type AcknowledgeLink, alertMailSource, type JudgeIncidents } from './alerts/alertMails.ts'
import type { ReadReadings } from './alerts/alertPicture.ts'
import { maintenanceMailSource } from './maintenanceMails.ts'
import { passwordMailSource } from './passwordMails.ts'
import { type Mailer, MailFailure, type MailFailureKind } from './sending/mailer.ts'
import type { DueMail, MailSource, MailSourceDeps } from './sending/mailSource.ts'
import { signInMailSource } from './signInMails.ts'
import { statusMailSource } from './statusMails.ts'

/** Notices wake the job by this name. */
export const MAILS_JOB = 'mails'
const AT_ONCE = 4
const LONGEST_TRY_MS = 20_000
/** While the mail server accepts nothing, one mail tries it at this interval. */
const REST_MS = 30_000
const MARKED_AGAIN_AFTER_MS = 1_000
const MOST_MARKS = 30
/** A stop may take two seconds; mails get this part of it. */
const STOP_WAITS_MS = 1_200

export interface MailQueueDeps extends MailSourceDeps {
  readonly mailer: Mailer
  readonly log: { warn(details: object, sentence: string): void }
  readonly now?: () => Date
  /** Reads what devices reported, for the charts in mails; without it mails have none. */
  readonly readings?: ReadReadings
  /** Decides by routes who is notified, in the queue's transaction. @returns true if there may be more */
  readonly judge: JudgeIncidents
  /** Makes a link that acknowledges an incident for one person who is on call. */
  readonly acknowledgeLink: AcknowledgeLink
  /** Makes the mails that ask addresses of mail channels whether they want mails. */
  readonly recipientMails: (deps: MailSourceDeps) => MailSource
  /** Mails of features. */
  readonly ofFeatures?: readonly ((deps: MailSourceDeps) => MailSource)[]
}

/**
 * Sends links to set passwords, mails about alerts and maintenance, and those that subscribers of status pages asked
 * for. Each is sent at least once, with one Message-ID for all tries, and marked as sent once it was accepted
 * (rules/alerts 14). Nothing else waits for the mail server: no connection to the database is held while a mail is on
 * its way.
 */
export class MailQueue {
  /** Counts how tries have ended, since the start of the process. */
  readonly tries: Record<'sent' | MailFailureKind, number> = { sent: 0, server: 0, later: 0, refused: 0 }
  readonly #deps: MailQueueDeps
  /** Links to set passwords go first, because somebody waits for them. */
  readonly #sources: readonly MailSource[]
  readonly #stopping = new AbortController()
  readonly #rounds = new JoinedRounds(() => this.#sendAndLook())
  #isStopped = false
  #restsUntil: Date | undefined
  /** Messages may wait for a server that came back while no queue ran. */
  #mayWait = true

  constructor(deps: MailQueueDeps) {
    this.#deps = deps
    this.#sources = [
      passwordMailSource(deps),
      alertMailSource(deps),
      maintenanceMailSource(deps),
      signInMailSource(deps),
      statusMailSource(deps),
      deps.recipientMails(deps),
      ...(deps.ofFeatures ?? []).map((sourceOf) => sourceOf(deps)),
    ]
  }

  readonly job = { name: MAILS_JOB, everyMs: TOLD_EVERY_MS, runUnfenced: () => this.#rounds.run() }

  /** @returns when something is due next */
  async #sendAndLook(): Promise<RunEnd> {
    try {
      await this.sendDue()
      return await this.#nextDue()
    } catch (error) {
      this.#deps.log.warn({ error: String(error) }, 'Mails could not be looked after.')
      return SOON
    }
  }

  async #nextDue(): Promise<RunEnd> {
    const moments = await Promise.all(this.#sources.map((source) => source.nextDueAt()))
    const soonestMs = Math.min(...moments.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY))
    if (soonestMs === Number.POSITIVE_INFINITY) return undefined
    const now = this.#now
    // What is due and was not taken waits for something else, such as the hour of its recipient.
    return { againInMs: Math.max(RETRY_MS, this.#restMs(now), soonestMs - now.getTime()) }
  }

  /** Sends until nothing is due or the mail server accepts nothing. */
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
    await this.#rounds.ended()
    clearTimeout(timer)
  }

  get #now(): Date {
    return this.#deps.now?.() ?? new Date()
  }

  /** Returns how long the mail server is still left alone. */
  #restMs(now: Date): number {
    const restMs = (this.#restsUntil?.getTime() ?? 0) - now.getTime()
    // It exceeds a whole rest only when the clock was set back.
    return restMs > 0 && restMs <= REST_MS ? restMs : 0
  }

  async #prepare(): Promise<readonly DueMail[]> {
    const now = this.#now
    const isResting = this.#restMs(now) > 0
    const atMost = isResting ? 0 : this.#restsUntil ? 1 : AT_ONCE
    return inTransaction(this.#deps.pool, async (connection) => {
      // The queue of a process that has just lost the lead may still run, and a mail must not change while it goes out.
      await connection.query(`select ${lockUntilCommit('mails')}`)
      const claimed: DueMail[] = []
      for (const source of this.#sources) {
        await source.prepare(connection, now)
        const left = atMost - claimed.length
        if (left > 0) claimed.push(...(await source.claim(connection, now, left)))
      }
      return claimed
    })
  }

  /** @returns undefined when there was nothing to send after all */
  async #send(due: DueMail): Promise<'sent' | MailFailure | undefined> {
    const { mailer, log } = this.#deps
    const { messageId } = due
    const content = await due.compose(this.#now)
    if (content === undefined) return undefined
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(LONGEST_TRY_MS)])
    try {
      const { file } = await mailer.send({ messageId, ...content }, signal)
      this.tries.sent++
      await this.#markSent(due, file)
      return 'sent'
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      this.tries[error.kind]++
      await due.noteFailed(this.#now, error)
      log.warn({ messageId, kind: error.kind, reason: error.message }, 'A mail was not accepted.')
      return error
    }
  }

  /** The mail is out and cannot be taken back, so marking is tried again when the database fails just now. */
  async #markSent(due: DueMail, file: string | undefined): Promise<void> {
    for (let marks = 1; ; marks++) {
      try {
        return await due.noteSent(this.#now, file)
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
    await Promise.all(this.#sources.map((source) => source.wake(this.#now)))
    this.#mayWait = false
  }
}
