import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { type AuditRow, insertAuditRow } from '#server/http/call/audit.store.ts'
import type { Caller } from '#server/http/call/caller.ts'

/** A refusal by a limit, with what its audit row will name. */
export interface LimitRefusal extends Pick<AuditRow, 'change' | 'call' | 'author'> {
  /** Refusals of one client are counted together. */
  readonly client: string
  readonly thing?: AuditRow['thing']
}

/** Makes the refusal of somebody who claims to be a device; only their address is known. */
export const deviceRefusal = (address: string, call: string): LimitRefusal => ({
  client: `device:${limitKeyOf(address)}`,
  change: { action: 'Limit', entity: 'Device' },
  call,
  author: { username: '', address },
  thing: { name: address },
})

export interface Asker {
  readonly address: string
  caller?: Caller
}

export function askerRefusal({ address, caller }: Asker, call: string): LimitRefusal {
  if (!caller) {
    const author = { username: '', address }
    const change = { action: 'Limit', entity: 'Session' } as const
    return { client: limitKeyOf(address), change, call, author, thing: { name: address } }
  }
  const { userId, username, customerId } = caller
  return {
    client: `user:${userId}`,
    change: { action: 'Limit', entity: 'User' },
    call,
    author: { userId, username, address, ...(customerId === undefined ? {} : { customerId }) },
    thing: { id: userId, name: username, customerId: customerId ?? null },
  }
}

const WRITE_AFTER_MS = 500
const TRY_AGAIN_AFTER_MS = 5000
const STOPS_WITHIN_MS = 500
/** Strangers can make so many rows within an hour; all further clients share one. */
const MOST_CLIENTS_PER_HOUR = 1000
const OTHERS = 'others'

interface LimitRefusalOptions {
  readonly onFault: (fault: unknown) => void
  /** Only tests set another value. */
  readonly mostClientsPerHour?: number
}

/**
 * Writes one audit row for each client and hour in which limits refused something. A row in the audit log is never
 * changed, so the growing count stands beside it in `limit_refusal`.
 */
export class LimitRefusals {
  readonly #db: Db
  readonly #onFault: LimitRefusalOptions['onFault']
  readonly #mostClientsPerHour: number
  readonly #clients = new Set<string>()
  #waiting = new Map<string, { readonly refusal: LimitRefusal; count: number }>()
  #clientsSinceMs = performance.now()
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(db: Db, { onFault, mostClientsPerHour = MOST_CLIENTS_PER_HOUR }: LimitRefusalOptions) {
    this.#db = db
    this.#onFault = onFault
    this.#mostClientsPerHour = mostClientsPerHour
  }

  /** Only counts in memory, so that a flood cannot occupy the database. */
  note(refusal: LimitRefusal): void {
    this.#count(refusal)
    this.#writeLater(WRITE_AFTER_MS)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    // A database that is away must not keep the server from stopping.
    await Promise.race([this.#writing.then(() => this.#write()), sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
    clearTimeout(this.#timer)
  }

  #count(asked: LimitRefusal, count = 1): void {
    const refusal = this.#countedAs(asked)
    const found = this.#waiting.get(refusal.client)
    if (found) found.count += count
    else this.#waiting.set(refusal.client, { refusal, count })
  }

  /** Clients of the last hour keep their row; beyond the limit a new client shares the common one. */
  #countedAs(refusal: LimitRefusal): LimitRefusal {
    if (performance.now() - this.#clientsSinceMs > HOUR_MS) {
      this.#clients.clear()
      this.#clientsSinceMs = performance.now()
    }
    if (!this.#clients.has(refusal.client) && this.#clients.size >= this.#mostClientsPerHour) {
      return { ...refusal, client: OTHERS, author: { username: '', address: '' }, thing: {} }
    }
    this.#clients.add(refusal.client)
    return refusal
  }

  #writeLater(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write()
    }, afterMs).unref()
  }

  async #write(): Promise<void> {
    const due = this.#waiting
    this.#waiting = new Map()
    for (const { refusal, count } of due.values()) {
      await add(this.#db, refusal, count).catch((fault: unknown) => {
        // A refusal is counted again when the database was away, so that none is lost.
        this.#count(refusal, count)
        this.#writeLater(TRY_AGAIN_AFTER_MS)
        this.#onFault(fault)
      })
    }
  }
}

async function add(db: Db, { client, thing = {}, ...refusal }: LimitRefusal, count: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const hour = sql<Date>`date_trunc('hour', now())`
    const { audit_id } = await transaction
      .insertInto('limit_refusal')
      .values({ client, hour, count })
      .onConflict((conflict) =>
        conflict.columns(['client', 'hour']).doUpdateSet({ count: sql<number>`limit_refusal.count + excluded.count` }),
      )
      .returning('audit_id')
      .executeTakeFirstOrThrow()
    if (audit_id !== null) return
    const details = 'Refused by a limit.'
    const { id } = await insertAuditRow(transaction, {
      ...refusal,
      outcome: 'too_many_requests',
      thing: { ...thing, details },
    })
    await transaction
      .updateTable('limit_refusal')
      .set({ audit_id: id })
      .where('client', '=', client)
      .where('hour', '=', hour)
      .execute()
  })
}
