import { isHeldLock, tryLockUntilDisconnected } from '../db/advisoryLocks.ts'
import type { ConnectionWatch } from '../db/ConnectionWatch.ts'
import type { Patience } from '../db/patience.ts'
import type { WatchedClient } from '../db/WatchedClient.ts'
import { pause } from './pause.ts'

/** Behind a half-open connection the database would hold the lock of a leader who is gone for ever. */
const sessionSettings = ({ leaderSilentMs }: Patience) => `
  set idle_session_timeout = ${leaderSilentMs};
  set idle_in_transaction_session_timeout = ${leaderSilentMs};
  set statement_timeout = ${leaderSilentMs}`
/** Of the connection on which jobs run. */
const WORK_SETTINGS = `set idle_in_transaction_session_timeout = '60s'`

/** As long as it stands, this process leads. */
export interface Leadership {
  /** Aborted when this process stops, and when the lead is lost. */
  readonly over: AbortSignal
  /** A connection for jobs. @throws when another process leads already */
  openWork(): Promise<WatchedClient>
}

/**
 * Waits until this process leads, and has it work as long as it does. The lead is a lock of a session that asks the
 * database something every moment and is ended by it after a silence (`Patience`). What jobs write is safe from a leader who
 * does not know yet that it is none: they run on a connection that holds a lock of its own, and a new leader ends the
 * session of the old one before it takes that lock. So a transaction of jobs commits only while nobody else works.
 */
export async function whileLeading(
  watch: ConnectionWatch,
  stopped: AbortSignal,
  { onLeader, work }: { readonly onLeader: () => void; readonly work: (lead: Leadership) => Promise<void> },
): Promise<void> {
  const session = await watch.connect({ application_name: 'wayside lead' })
  const lost = new AbortController()
  session.once('end', () => lost.abort())
  const over = AbortSignal.any([stopped, lost.signal])
  try {
    await session.query(sessionSettings(watch.patience))
    while (!over.aborted && !(await tryLock(session, 'lead'))) {
      onLeader()
      await pause(watch.patience.beatEveryMs, over)
    }
    if (over.aborted) return
    const beating = beat(session, watch.patience, over, onLeader).catch((error: unknown) => {
      lost.abort()
      throw error
    })
    await Promise.all([beating, work({ over, openWork: () => openWork(watch, session, lost.signal) })])
  } finally {
    await session.end().catch(() => undefined)
  }
}

async function tryLock(session: WatchedClient, name: 'lead' | 'jobs'): Promise<boolean> {
  const { rows } = await session.query<{ is: boolean }>(`select ${tryLockUntilDisconnected(name)} as is`)
  return rows[0]?.is === true
}

async function beat(
  session: WatchedClient,
  { beatEveryMs, beatAnsweredWithinMs }: Patience,
  over: AbortSignal,
  onLeader: () => void,
): Promise<void> {
  while (!over.aborted) {
    const late = setTimeout(() => session.giveUp(), beatAnsweredWithinMs)
    await session.query('select 1').finally(() => clearTimeout(late))
    onLeader()
    await pause(beatEveryMs, over)
  }
}

/** Ends whoever worked before: another leader, or this one on a connection that is dead without the database knowing. */
const END_OTHERS_SQL = `
  select pg_terminate_backend(work.pid, 2000) from pg_locks work
  where ${isHeldLock('work', 'jobs')} and exists (
    select from pg_locks lead where ${isHeldLock('lead', 'lead')} and lead.pid = $1)`

async function openWork(watch: ConnectionWatch, session: WatchedClient, lost: AbortSignal): Promise<WatchedClient> {
  const work = await watch.connect({ application_name: 'wayside jobs' })
  lost.addEventListener('abort', () => work.giveUp())
  try {
    await work.query(WORK_SETTINGS)
    await work.query(END_OTHERS_SQL, [session.processID])
    if (!(await tryLock(work, 'jobs'))) throw new Error('Another process does the jobs.')
  } catch (error) {
    await work.end().catch(() => undefined)
    throw error
  }
  if (lost.aborted) work.giveUp()
  return work
}
