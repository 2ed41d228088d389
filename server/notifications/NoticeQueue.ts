import type pg from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import { NOTICES_JOB } from '#server/incidents/dueRows.ts'
import { type RunEnd, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { JoinedRounds, RETRY_MS, SOON } from '#server/jobs/JoinedRounds.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { Delivery } from './adapters/adapter.ts'
import type { IncidentMessage } from './adapters/messageTexts.ts'
import { type Claim, type ClaimedMessage, claimDeliveries } from './claimDeliveries.ts'
import { type ReadIncident, readShares } from './incidentReading.ts'
import { factsKey } from './judgedRows.ts'
import { hasWokenSince, judgeIncidents } from './judgeIncidents.ts'
import type { DeliveryResult, NotifyOutside } from './notifyOutside.ts'
import { type Delivered, type Settled, settle } from './settleClaims.ts'

const AT_ONCE = 4

export interface NoticeQueueDeps {
  readonly pool: pg.Pool
  readonly notifyOutside: NotifyOutside
  readonly cipher: SecretCipher
  readonly consoleUrl: string
  readonly log: { warn(details: object, sentence: string): void }
  readonly now?: () => Date
  readonly seededRandom?: () => number
}

/**
 * Decides who is notified of incidents and notifies them at least once, each message by a key that is the same for
 * every try (docs/decisions/0220). No connection to the database is held while a message is on its way, and a channel
 * sends one thing at a time.
 */
export class NoticeQueue {
  /** Counts how tries have ended, since the start of the process. */
  readonly tries: Record<DeliveryResult['outcome']['is'], number> = { done: 0, later: 0, refused: 0, gone: 0 }
  readonly #deps: NoticeQueueDeps
  readonly #rounds = new JoinedRounds(() => this.#sendAndLook())
  #isStopped = false

  constructor(deps: NoticeQueueDeps) {
    this.#deps = deps
  }

  readonly job = { name: NOTICES_JOB, everyMs: TOLD_EVERY_MS, runUnfenced: () => this.#rounds.run() }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#rounds.ended()
  }

  get #now(): Date {
    return this.#deps.now?.() ?? new Date()
  }

  async #sendAndLook(): Promise<RunEnd> {
    try {
      const nextMs = await this.sendDue()
      return nextMs === undefined ? undefined : { againInMs: Math.max(RETRY_MS, nextMs - this.#now.getTime()) }
    } catch (error) {
      this.#deps.log.warn({ error: String(error) }, 'Nobody could be notified of incidents.')
      return SOON
    }
  }

  /** Sends everything that is due. @returns when something is due next */
  async sendDue(): Promise<number | undefined> {
    const { pool, cipher } = this.#deps
    while (!this.#isStopped) {
      while (await inTransaction(pool, (connection) => judgeIncidents(connection, this.#now)));
      const { claims, nextMs } = await inTransaction(pool, (connection) =>
        claimDeliveries(connection, { now: this.#now, atMost: AT_ONCE, cipher }),
      )
      if (claims.length === 0) return this.#nextOf(nextMs)
      await Promise.all(claims.map((claim) => this.#send(claim)))
    }
    return undefined
  }

  async #nextOf(roomMs: number | undefined): Promise<number | undefined> {
    const { rows } = await this.#deps.pool.query<{ at: Date | null }>(
      `select least((select min(due_at) from notify_due),
         (select min(greatest(m.next_at, c.rests_until)) from incident_message m join channel c on c.id = m.channel_id
          where m.next_at is not null and m.given_up_at is null and c.is_on and c.deleted_at is null
            and (m.next_at > $1 or c.rests_until > $1))) as at`,
      [this.#now],
    )
    const moments = [roomMs, rows[0]?.at?.getTime()].filter((ms) => ms !== undefined)
    return moments.length === 0 ? undefined : Math.min(...moments)
  }

  async #send(claim: Claim): Promise<void> {
    const { pool, notifyOutside, seededRandom = Math.random, log } = this.#deps
    const now = this.#now
    const begunMs = performance.now()
    const { delivery, delivered, vanished } = await this.#compose(claim, now)
    const result = delivery && (await notifyOutside(claim.channel, delivery, now))
    const tookMs = Math.round(performance.now() - begunMs)
    if (result) {
      const { outcome } = result
      this.tries[outcome.is]++
      if ('reason' in outcome)
        log.warn(
          { channel: claim.channel.id, outcome: outcome.is, reason: outcome.reason },
          'A channel did not take a message.',
        )
    }
    const settled: Settled = { claim, result, delivered, vanished, tookMs, seededRandom: seededRandom() }
    await inTransaction(pool, (connection) => settle(connection, settled, this.#now))
  }

  async #compose(claim: Claim, now: Date) {
    const { messages, key } = claim
    const shares = new Map(
      (
        await readShares(
          this.#deps.pool,
          messages.map(({ incidentId }) => incidentId),
        )
      ).map((share) => [factsKey(share.incidentId, share.shareId), share]),
    )
    const found = messages.map((message) => ({
      message,
      share: shares.get(factsKey(message.incidentId, message.shareId)),
    }))
    const delivered: Delivered[] = found.flatMap(({ message, share }) =>
      share ? [{ message, state: share.current }] : [],
    )
    const vanished = found.filter(({ share }) => share === undefined).map(({ message }) => message)
    const read: IncidentMessage[] = []
    for (const { message, share } of found) {
      if (share === undefined) continue
      read.push({ ...share.message, news: newsOf(message, share, now), link: this.#linkTo(share.incidentId) })
    }
    return { delivery: this.#deliveryOf(claim, read, key), delivered, vanished }
  }

  #deliveryOf(claim: Claim, incidents: readonly IncidentMessage[], key: string): Delivery | undefined {
    const [first] = incidents
    const [message] = claim.messages
    if (first === undefined || message === undefined) return undefined
    if (claim.kind === 'digest')
      return { what: 'digest', messages: incidents, key, listLink: `${this.#deps.consoleUrl}/incidents` }
    const isActive = first.state === 'active'
    const wasActive = message.told?.state === 'active'
    const what = !isActive ? 'over' : wasActive ? 'changed' : 'opened'
    return {
      what,
      message: first,
      key: message.key,
      revision: message.revision,
      foreignId: message.foreignId ?? undefined,
    }
  }

  #linkTo(id: number): string {
    return `${this.#deps.consoleUrl}/incidents/incident?data=${encodeURIComponent(JSON.stringify({ id }))}`
  }
}

/** Says what is new about an incident that was notified as active and still is. */
function newsOf({ told, toldAt }: ClaimedMessage, share: ReadIncident, now: Date): IncidentMessage['news'] {
  if (told?.state !== 'active' || share.current.state !== 'active') return undefined
  if (share.current.severityId < told.severityId) return 'worse'
  if (hasWokenSince(toldAt, share.snoozedUntil, now.getTime())) return 'still'
  return share.current.alertCount > told.alertCount ? 'more' : undefined
}
