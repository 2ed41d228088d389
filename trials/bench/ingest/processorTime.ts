import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Worker } from '../../frame/Worker.ts'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Milliseconds of processor time, of a server's process and of all of PostgreSQL's. */
export interface ProcessorTime {
  readonly serverMs: number
  /** NaN where PostgreSQL runs elsewhere. */
  readonly databaseMs: number
}

export async function processorTimeOf<Answer>(
  db: pg.Client,
  servers: readonly Worker[],
  work: () => Promise<Answer>,
): Promise<ProcessorTime & { readonly answer: Answer }> {
  const before = await usedUntilNow(db, servers)
  const answer = await work()
  const after = await usedUntilNow(db, servers)
  return {
    serverMs: after.serverMs - before.serverMs,
    databaseMs: after.databaseMs - before.databaseMs,
    answer,
  }
}

async function usedUntilNow(db: pg.Client, servers: readonly Worker[]): Promise<ProcessorTime> {
  const used = await Promise.all(servers.map((server) => server.ask<{ ms: number }>({ tell: 'processor' })))
  return { serverMs: used.reduce((sum, { ms }) => sum + ms, 0), databaseMs: await databaseMs(db) }
}

/** The postmaster's time includes its ended children. */
async function databaseMs(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(String(rows[0]?.pid))?.parent
  if (postmaster === undefined) return Number.NaN
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid)
    if (pid === postmaster) ticks += (stat?.ticks ?? 0) + (stat?.endedTicks ?? 0)
    else if (stat?.parent === postmaster) ticks += stat.ticks
  }
  return ticks * TICK_MS
}

function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = rest.slice(9, 13).map(Number)
    return {
      parent,
      ticks: (user ?? 0) + (system ?? 0),
      endedTicks: (endedUser ?? 0) + (endedSystem ?? 0),
    }
  } catch {
    return undefined
  }
}
