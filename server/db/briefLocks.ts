import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'

/**
 * Whoever waits for a table lock holds up everyone who comes after, readers too. The limit is shorter than the second
 * after which PostgreSQL looks for a deadlock, so that this work gives way first.
 */
const LOCK_WITHIN_MS = SECOND_MS / 2
/** Each try waits longer, up to this, because some programs hold a table nearly always. */
const LONGEST_LOCK_WITHIN_MS = 5 * SECOND_MS
/** An operator has to end a program that holds a table for a quarter of an hour. */
const LOCK_TRIES = 150
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/** Runs the work in one transaction, and tries again while others hold a table, so that they can go on. */
export async function withBriefLocks(
  owner: pg.ClientBase,
  work: () => Promise<unknown>,
  mostTries = LOCK_TRIES,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    await owner.query('begin')
    try {
      await owner.query(`set local lock_timeout = ${Math.min(tries * LOCK_WITHIN_MS, LONGEST_LOCK_WITHIN_MS)}`)
      await work()
      await owner.query('commit')
      return
    } catch (error) {
      await owner.query('rollback')
      const { code = '' } = error as { code?: string }
      if (![LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].includes(code) || tries === mostTries) throw error
      await sleep(SECOND_MS)
    }
  }
}
