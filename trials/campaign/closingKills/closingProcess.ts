import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'

/** How a closing is killed. It is given to this program as JSON. */
export interface Kill {
  readonly ownerUrl: string
  readonly before: string
  /** It dies around this question to the database; one that it never asks lets it live. */
  readonly question: number
  readonly moment: 'before' | 'during' | 'after'
  readonly victim: 'process' | 'connection'
  /** With `during`, the database has worked so long on the question. */
  readonly workedMs: number
}

const kill = JSON.parse(process.argv[2] as string) as Kill
const owner = await connect()
const killer = await connect()
const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: kill.ownerUrl, options: '-c TimeZone=UTC' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function die(): Promise<void> {
  if (kill.victim === 'process') process.kill(process.pid, 'SIGKILL')
  await killer.query('select pg_terminate_backend($1::integer)', [rows[0]?.pid])
}

let asked = 0
const query = owner.query.bind(owner) as (...given: unknown[]) => Promise<unknown>
const dying = async (...given: unknown[]) => {
  if (++asked !== kill.question) return query(...given)
  if (kill.moment === 'before') await die()
  const answer = query(...given)
  answer.catch(() => undefined)
  if (kill.moment === 'during') await sleep(kill.workedMs)
  if (kill.moment === 'after') await answer
  await die()
  return answer
}
owner.query = dying as never

const closing = { before: kill.before, isOver: () => false, rest: () => Promise.resolve() }
await closeDays(owner, closing).catch((error: unknown) => {
  if (asked < kill.question) throw error
})
process.send?.({ asked })
await Promise.all([owner, killer].map((client) => client.end().catch(() => undefined)))
process.disconnect?.()
