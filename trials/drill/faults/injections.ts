import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceId } from '#domain/ids.ts'
import type { SmallDisk } from '#server/testing/backup/SmallDisk.ts'
import type { SwallowingProxy } from '#server/testing/database/SwallowingProxy.ts'
import { incidentsIn } from '#server/testing/devices/raisedIncidents.ts'
import type { OwnDatabase } from '../servers/OwnDatabase.ts'
import type { Receivers } from '../servers/Receivers.ts'
import type { ServerProgram } from '../servers/ServerProgram.ts'

/** The subjects of a fault, while devices report and operators work. */
export interface Victims {
  readonly server: ServerProgram
  readonly database: OwnDatabase
  /** It holds everything of the database, where the fault requires one. */
  readonly disk: SmallDisk | undefined
  /** It holds the offset of a clock, where the fault sets one. */
  readonly clockFile: string
  /** It stands between the server and its database, where the fault requires it. */
  readonly proxy: SwallowingProxy | undefined
  /** They are notified of incidents, where the fault requires them. */
  readonly receivers: Receivers | undefined
  readonly deviceIds: readonly DeviceId[]
  readonly seconds: number
  readonly chance: () => number
}

export interface Injection {
  readonly name: string
  /** The text is used in `docs/guide/run/reliability.md` and in the table of the drill. */
  readonly what: string
  /** Says what lies on a disk that can be filled: everything of the database, or its write-ahead log alone. */
  readonly smallDisk?: 'database' | 'log'
  /** Flags of Node.js for the server. */
  readonly flags?: readonly string[]
  /** A mail server and a webhook must be notified of every incident in the end. */
  readonly isToldOutside?: boolean
  /** The server reaches its database through a proxy. */
  readonly isDatabaseApart?: boolean
  /** Says whose clock can be set. */
  readonly ownClock?: 'server' | 'database'
  /** Health must report the fault while it lasts. */
  readonly isTold: boolean
  /** Calls may be answered with these then, beside what is always honest. */
  readonly alsoAnswered?: readonly number[]
  /** Devices are behind a link like this. */
  readonly link?: { readonly delayMs: number; readonly lostShare: number; readonly resentAfterMs: number }
  /** Ends when the fault is over. @returns how often it was done, in words */
  readonly inject: (victims: Victims) => Promise<string>
}

const BETWEEN_KILLS_MS = 3_000
/** Half-open connections are recognised after some seconds. */
const BETWEEN_SWALLOWS_MS = 10_000
const SYNCS_FAIL_FOR_MS = 700

/** The last one is right. A command lives for 10 s, so a clock that is further behind would prevent all of them. */
const CLOCK_OFFSETS = ['+7200s', '+0s', '-3s', '+1200s', '-3s', '+0s']

/** Returns settings for a process whose clock follows the file; undefined where the library is not installed. */
export function clockOf(clockFile: string): Readonly<Record<string, string>> | undefined {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) return undefined
  writeFileSync(clockFile, '+0s')
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

export const INJECTIONS: readonly Injection[] = [
  {
    name: 'connections-killed',
    what: 'processes of the database that serve connections are killed, and all others with them',
    isTold: false,
    inject: (victims) =>
      overAndOver(victims, ({ database, chance }) => {
        const { children } = database
        const pid = children[Math.floor(chance() * children.length)]
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
      }),
  },
  {
    name: 'database-killed',
    what: 'the database is killed as a whole',
    isTold: false,
    inject: (victims) => overAndOver(victims, ({ database }) => void process.kill(database.postmaster, 'SIGKILL')),
  },
  {
    name: 'database-frozen',
    what: 'the database stands still, its connections stay open',
    isTold: true,
    inject: async ({ database, seconds }) => {
      database.signal('SIGSTOP')
      await sleep(seconds * 1000)
      database.signal('SIGCONT')
      return `${seconds} s`
    },
  },
  {
    name: 'database-half-open',
    what: 'connections to the database stay open, and nothing comes through them any more',
    isDatabaseApart: true,
    isTold: false,
    inject: (victims) => overAndOver(victims, ({ proxy }) => void proxy?.swallow(), BETWEEN_SWALLOWS_MS),
  },
  {
    name: 'disk-full',
    what: 'the disk of the database, with its write-ahead log, is full',
    smallDisk: 'database',
    isTold: true,
    inject: fillDisk,
  },
  {
    name: 'log-full',
    what: 'the disk of the write-ahead log alone is full; the database ends, and cannot start',
    smallDisk: 'log',
    isTold: true,
    inject: fillDisk,
  },
  {
    name: 'fsync-fails',
    what: 'the disk refuses to keep what the write-ahead log asks it to (EIO of fdatasync), and the database ends itself',
    isTold: false,
    inject: (victims) => overAndOver(victims, ({ database }) => failSyncs(database)),
  },
  {
    name: 'little-memory',
    what: 'the server has 96 MB for all its objects',
    isTold: false,
    flags: ['--max-old-space-size=96'],
    inject: async ({ seconds }) => {
      await sleep(seconds * 1000)
      return `${seconds} s`
    },
  },
  {
    name: 'server-frozen',
    what: 'the server stands still, its connections stay open',
    isTold: false,
    inject: async ({ server, seconds }) => {
      const { pid } = server
      if (pid === undefined) throw new Error('The server does not run.')
      process.kill(pid, 'SIGSTOP')
      await sleep(seconds * 1000)
      process.kill(pid, 'SIGCONT')
      return `${seconds} s`
    },
  },
  {
    name: 'clock-steps',
    what: 'the clock of the server is set hours ahead, back, and some seconds behind that of the database and of devices',
    ownClock: 'server',
    isTold: false,
    inject: (victims) => stepClock(victims, CLOCK_OFFSETS),
  },
  {
    name: 'database-clock-steps',
    what: 'the clock of the database is set hours ahead, back, and behind, while those of server and devices are right',
    ownClock: 'database',
    isTold: true,
    // Hours later their proof of identity has expired, and a new one is required.
    alsoAnswered: [403],
    inject: (victims) => stepClock(victims, CLOCK_OFFSETS),
  },
  {
    name: 'receivers-gone',
    what: 'mail server and webhook are gone, then say nothing to whoever connects, while every device has an incident',
    isToldOutside: true,
    isTold: false,
    inject: async ({ receivers, database, deviceIds, seconds }) => {
      await receivers?.goAway()
      const { raise } = incidentsIn(database.owner)
      for (const id of deviceIds) {
        await raise({ id }, { at: new Date() })
        await sleep((seconds * 500) / deviceIds.length)
      }
      await receivers?.fallSilent()
      await sleep(seconds * 500)
      await receivers?.listen()
      return `${seconds} s, ${deviceIds.length} incidents`
    },
  },
  {
    name: 'poor-link',
    what: 'devices are behind 2 s of delay each way, and 5 % of their packets are lost',
    isTold: false,
    link: { delayMs: 2_000, lostShare: 0.05, resentAfterMs: 3_000 },
    inject: async ({ seconds }) => {
      await sleep(seconds * 1000)
      return `${seconds} s`
    },
  },
]

async function stepClock({ clockFile, seconds }: Victims, offsets: readonly string[]): Promise<string> {
  for (const offset of offsets) {
    writeFileSync(clockFile, offset)
    await sleep((seconds * 1000) / offsets.length)
  }
  return offsets.join(', ')
}

async function fillDisk({ database, disk, seconds }: Victims): Promise<string> {
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    disk?.fill()
    // Prepared log segments would last for a while.
    await database.owner.query('select pg_switch_wal()').catch(() => undefined)
    await sleep(200)
  }
  disk?.free()
  return `${seconds} s`
}

/** Makes the syncs of every database process fail for a moment. @throws without strace or the right to trace */
async function failSyncs({ postmaster, children }: OwnDatabase): Promise<void> {
  const pids = [postmaster, ...children].flatMap((pid) => ['-p', String(pid)])
  const calls = 'fsync,fdatasync'
  const strace = spawn(
    'strace',
    ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`, ...pids],
    {
      stdio: 'ignore',
    },
  )
  const ended = once(strace, 'exit')
  await sleep(SYNCS_FAIL_FOR_MS)
  strace.kill('SIGTERM')
  await ended
}

async function overAndOver(
  victims: Victims,
  strike: (victims: Victims) => void | Promise<void>,
  betweenMs = BETWEEN_KILLS_MS,
): Promise<string> {
  const until = performance.now() + victims.seconds * 1000
  let times = 0
  while (performance.now() < until) {
    try {
      await strike(victims)
      times++
    } catch {
      // It is not back yet.
    }
    await sleep(betweenMs * (0.5 + victims.chance()))
  }
  return `${times} times`
}
