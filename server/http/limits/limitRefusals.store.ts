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

export interface LimitRefusals {
  /** Only counts in memory, so that a flood cannot occupy the database. */
  readonly note: (refusal: LimitRefusal) => void
  readonly stop: () => Promise<void>
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

/**
 * Writes one audit row for each client and hour in which limits refused something. A row in the audit log is never
 * changed, so the growing count stands beside it in `limit_refusal`.
 */
export function createLimitRefusals(
  db: Db,
  { onFault, mostClientsPerHour = MOST_CLIENTS_PER_HOUR }: LimitRefusalOptions,
): LimitRefusals {
  let waiting = new Map<string, { readonly refusal: LimitRefusal; count: number }>()
  const clients = new Set<string>()
  let clientsSinceMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  /** Clients of the last hour keep their row; beyond the limit a new client shares the common one. */
  function countedAs(refusal: LimitRefusal): LimitRefusal {
    if (performance.now() - clientsSinceMs > HOUR_MS) {
      clients.clear()
      clientsSinceMs = performance.now()
    }
    if (!clients.has(refusal.client) && clients.size >= mostClientsPerHour) {
      return { ...refusal, client: OTHERS, author: { username: '', address: '' }, thing: {} }
    }
    clients.add(refusal.client)
    return refusal
  }

  function note(asked: LimitRefusal, count = 1): void {
    const refusal = countedAs(asked)
    const found = waiting.get(refusal.client)
    if (found) found.count += count
    else waiting.set(refusal.client, { refusal, count })
  }

  function writeLater(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = write()
    }, afterMs).unref()
  }

  async function write(): Promise<void> {
    const due = waiting
    waiting = new Map()
    for (const { refusal, count } of due.values()) {
      await add(db, refusal, count).catch((fault: unknown) => {
        // A refusal is counted again when the database was away, so that none is lost.
        note(refusal, count)
        writeLater(TRY_AGAIN_AFTER_MS)
        onFault(fault)
      })
    }
  }

  return {
    note: (refusal) => {
      note(refusal)
      writeLater(WRITE_AFTER_MS)
    },
    stop: async () => {
      clearTimeout(timer)
      // A database that is away must not keep the server from stopping.
      await Promise.race([writing.then(write), sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
      clearTimeout(timer)
    },
  }
}

interface LimitRefusalOptions {
  readonly onFault: (fault: unknown) => void
  /** Only tests set another value. */
  readonly mostClientsPerHour?: number
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
