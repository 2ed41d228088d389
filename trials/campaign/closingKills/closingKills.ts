import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'
import { WritePath } from '#server/telemetry/write/WritePath.ts'
import { roundsOf } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeCampaign } from '../../frame/trial.ts'
import { ClosedFleet } from './ClosedFleet.ts'
import type { Kill } from './closingProcess.ts'
import { closeOnFullDisk } from './fullDisk.ts'

/** The first day has so many before it that a hundred rounds end before the present. */
const DAYS_AGO = 400
const PAST_AT_ONCE = 3
const LONGEST_WORK_MS = 4
/** Late readings are merged in the end, by five questions for each component and day. */
const QUESTIONS_OF_LATE = 50

type KillsRun = Run<Readonly<{ seed: number; rounds: number; seconds: number }>>

export const closingKills = describeCampaign({
  name: 'closing-kills',
  proves:
    'Over kills of whoever closes days, with late readings meanwhile, two at once and a full disk, each reading stays as it was, bit for bit.',
  options: roundsOf(100, 'kills'),
  brief: { rounds: 3 },
  async run(run: KillsRun) {
    const bench = await openBench(run)
    try {
      console.log(await closeOnFullDisk({ ...bench, run, day: bench.fleet.dayAt(0), folder: run.folder }))
      const questions = (await countQuestions(bench, bench.fleet.dayAt(1))) + QUESTIONS_OF_LATE
      let [kills, lived, days] = [0, 0, 2]
      for (const round of run.rounds()) {
        // Each question has its turn, the last ones too, in an order that begins anywhere.
        const question = 1 + ((Math.floor(run.options.seed) + round * nextCoprime(questions)) % questions)
        const some = Array.from({ length: round % 3 === 0 ? 2 : 1 }, () => bench.fleet.dayAt(days++))
        if (await killOnce(bench, run, some, question)) kills++
        else lived++
      }
      for (const sentence of await bench.fleet.wrongOf(bench.fleet.days)) run.wrong(`In the end ${sentence}`)
      console.log(`${kills} killed around ${questions} questions to the database, ${lived} ended before.`)
      if (kills === 0) run.wrong('nobody was killed')
    } finally {
      await bench.end()
    }
  },
})

type Bench = Awaited<ReturnType<typeof openBench>>

async function openBench(run: KillsRun) {
  const { ownerUrl, applicationUrl } = await run.newDatabase({ retentionDays: 2 })
  const owners: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client({ connectionString: ownerUrl, options: '-c TimeZone=UTC' })
    await client.connect()
    owners.push(client)
    return client
  }
  const pool = openPool(applicationUrl, { maximumConnections: 6, name: 'trial' })
  const path = new WritePath({ pool, retentionDays: DAYS_AGO, onStored: () => undefined, log: () => undefined })
  const owner = await connect()
  const firstDayMs = (Math.floor(Date.now() / DAY_MS) - DAYS_AGO) * DAY_MS
  const fleet = new ClosedFleet({ owner, pool, path, firstDayMs, chance: () => run.chance() })
  return {
    ...{ ownerUrl, owner, other: await connect(), path, fleet },
    async end() {
      await path.stop(1_000)
      await pool.end()
      for (const client of owners) await client.end()
    },
  }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

const close = (by: pg.Client, day: string) =>
  closeDays(by, { before: dayAfter(day), isOver: () => false, rest: () => Promise.resolve() })

async function countQuestions(bench: Bench, day: string): Promise<number> {
  await bench.fleet.fill(day)
  const asked = await closeInProcess(
    { ownerUrl: bench.ownerUrl, before: dayAfter(day), question: 0, moment: 'before', victim: 'process', workedMs: 0 },
    () => undefined,
  )
  if (asked === undefined) throw new Error('A closing that nobody kills did not end.')
  return asked
}

/** A step with which every number has its turn. */
function nextCoprime(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let step = Math.max(1, Math.floor(count * 0.382))
  while (divisor(step, count) !== 1) step++
  return step
}

/** Kills a closing of one or two new days, and lets two at once go on. @returns whether it was killed */
async function killOnce(bench: Bench, run: KillsRun, days: readonly string[], question: number): Promise<boolean> {
  const { fleet } = bench
  for (const day of days) await fleet.fill(day)
  const day = days.at(-1) as string
  // Days of rounds before are closed, and the newest are being closed.
  const late = fleet.days.slice(-4)
  const kill: Kill = {
    ...{ ownerUrl: bench.ownerUrl, before: dayAfter(day), question },
    moment: (['before', 'during', 'after'] as const)[Math.floor(run.chance() * 3)] ?? 'after',
    victim: run.chance() < 0.6 ? 'process' : 'connection',
    workedMs: run.chance() * LONGEST_WORK_MS,
  }
  const words = `${kill.victim} ${kill.moment} question ${question}`
  const check = async (when: string) => {
    for (const sentence of await fleet.wrongOf(late)) run.wrong(`${when} (${words}) ${sentence}`)
  }
  await fleet.writeLate(late)
  let isOver = false
  const closing = closeInProcess(kill, (sentence) => run.wrong(`${words}: ${sentence}`)).finally(() => {
    isOver = true
  })
  do await fleet.writeLate(late)
  while (!isOver)
  const asked = await closing
  await check('After the kill')
  await goOn(bench, day, late)
  await check('Closed')
  return asked === undefined || asked > question
}

/** Two close at once, while readings come, also past the write path; then one alone. */
async function goOn(bench: Bench, day: string, late: readonly string[]): Promise<void> {
  const { fleet, owner, other, ownerUrl } = bench
  const writePast = async () => {
    for (let count = 0; count < PAST_AT_ONCE; count++) await fleet.writePast(day)
  }
  await Promise.all([close(owner, day), close(other, day), fleet.writeLate(late), writePast()])
  // Whoever was killed may hold the lock until the database has noticed.
  for (let isDone = false; !isDone; ) isDone = await close(owner, day)
  const { rows } = await owner.query(LEFT_SQL, [dayAfter(day)])
  if (rows.length > 0) throw new Error(`${ownerUrl} has left ${rows.map(({ name }) => name).join(', ')}.`)
}

const LEFT_SQL = `
  select relname as name from pg_class
  where relkind = 'r' and relname ~ '^reading_.*_\\d{8}$' and right(relname, 8) < replace($1::text, '-', '')
  union all select 'late readings' where exists (select 1 from late_reading)`

/** @returns how much it has asked; undefined when it was killed */
async function closeInProcess(kill: Kill, onTrouble: (sentence: string) => void): Promise<number | undefined> {
  const child = fork(new URL('./closingProcess.ts', import.meta.url), [JSON.stringify(kill)], { execArgv: [] })
  let asked: number | undefined
  child.on('message', (told: { asked: number }) => {
    asked = told.asked
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code !== 0 && signal !== 'SIGKILL') onTrouble(`it ended with ${code ?? signal}`)
  return signal === 'SIGKILL' ? undefined : asked
}
