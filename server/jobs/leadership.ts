import { tryLockUntilDisconnected } from '../db/advisoryLocks.ts'
import type { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import type { Patience } from '../db/connect/patience.ts'
import type { WatchedClient } from '../db/connect/WatchedClient.ts'
import { JOBS_CHANNEL } from './JobBells.ts'
import { pause } from './pause.ts'
import { WorkConnections } from './WorkConnections.ts'

/** The database would otherwise hold the lock of a lost leader for ever behind a half-open connection. */
const sessionSettings = ({ leaderSilentMs }: Patience) => `
  set idle_session_timeout = ${leaderSilentMs};
  set idle_in_transaction_session_timeout = ${leaderSilentMs};
  set statement_timeout = ${leaderSilentMs}`
export interface Leadership {
  /** It aborts when this process stops, and when the lead is lost. */
  readonly over: AbortSignal
  /** Runs work on a connection for jobs. @throws when none is free, or another process leads already */
  readonly lend: WorkConnections['lend']
}

interface WhileLeading {
  readonly onLeader: () => void
  readonly onNotice: (text: string) => void
  readonly work: (lead: Leadership) => Promise<void>
}

/**
 * Waits until this process leads, and runs the work as long as it does. The lead is a lock of a session that asks the
 * database something every moment, and that the database ends after a silence (`Patience`). Jobs of a leader that has
 * lost the lead unknowingly write nothing (`WorkConnections`).
 *
 * @throws when the lead is lost, although work may still be under way
 */
export async function whileLeading(
  watch: ConnectionWatch,
  stopped: AbortSignal,
  { onLeader, onNotice, work }: WhileLeading,
): Promise<void> {
  const session = await watch.connect({ application_name: 'wayside lead' })
  const lost = new AbortController()
  session.once('end', () => lost.abort(new Error('The connection that leads has ended.')))
  const over = AbortSignal.any([stopped, lost.signal])
  try {
    await session.query(sessionSettings(watch.patience))
    while (!over.aborted && !(await tryToLead(session))) {
      onLeader()
      await pause(watch.patience.beatEveryMs, over)
    }
    if (over.aborted) return
    // Listening comes first, so that no job misses what follows its first run.
    session.on('notification', ({ payload = '' }) => onNotice(payload))
    await session.query(`listen ${JOBS_CHANNEL}`)
    const connections = new WorkConnections({ watch, leader: session, over, lost: lost.signal })
    const beating = beat(session, watch.patience, over, onLeader).then(
      () => lost.signal.throwIfAborted(),
      (error: unknown) => {
        lost.abort()
        throw error
      },
    )
    const working = work({ over, lend: (job) => connections.lend(job) }).finally(() => connections.end())
    await Promise.all([beating, working])
  } finally {
    await session.end().catch(() => undefined)
  }
}

async function tryToLead(session: WatchedClient): Promise<boolean> {
  const { rows } = await session.query<{ is: boolean }>(`select ${tryLockUntilDisconnected('lead')} as is`)
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
