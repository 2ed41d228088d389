import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnDatabase } from '../servers/OwnDatabase.ts'
import type { ServerProgram } from '../servers/ServerProgram.ts'
import type { SmallDisk } from '../servers/SmallDisk.ts'

/** What a fault is done to, while devices report and operators work. */
export interface Victims {
  readonly server: ServerProgram
  readonly database: OwnDatabase
  /** On which everything of the database lies, where the fault asked for one. */
  readonly disk: SmallDisk | undefined
  readonly seconds: number
  readonly chance: () => number
}

export interface Injection {
  readonly name: string
  /** In `docs/guide/reliability.md` and in the table of the drill. */
  readonly what: string
  readonly needsSmallDisk?: true
  /** Health has to tell of it while it lasts. */
  readonly isTold: boolean
  /** Devices are behind a link like this. */
  readonly link?: { readonly delayMs: number; readonly lostShare: number; readonly resentAfterMs: number }
  /** Ends when the fault is over. @returns how often it was done, in words */
  readonly inject: (victims: Victims) => Promise<string>
}

const BETWEEN_KILLS_MS = 3_000

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
    name: 'disk-full',
    what: 'the disk of the database, with its write-ahead log, is full',
    needsSmallDisk: true,
    isTold: true,
    inject: async ({ disk, seconds }) => {
      const until = performance.now() + seconds * 1000
      while (performance.now() < until) {
        disk?.fill()
        await sleep(200)
      }
      disk?.free()
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

async function overAndOver(victims: Victims, strike: (victims: Victims) => void): Promise<string> {
  const until = performance.now() + victims.seconds * 1000
  let times = 0
  while (performance.now() < until) {
    try {
      strike(victims)
      times++
    } catch {
      // It is not back yet.
    }
    await sleep(BETWEEN_KILLS_MS * (0.5 + victims.chance()))
  }
  return `${times} times`
}
