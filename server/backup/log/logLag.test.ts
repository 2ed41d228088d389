import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { piecesIn, systemsIn } from './copyNames.ts'
import { streamLog } from './logStream.ts'

/** This fills three pieces; a restore reads one more than holds its moment. */
const FILLING_MIB = 48

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)

const databaseNow = async (): Promise<Date> =>
  (await database.owner.query('select clock_timestamp() as now')).rows[0].now

const fill = (bytes: number) =>
  database.owner.query(`select pg_logical_emit_message(false, 'filling', repeat('x', $1))`, [bytes])

async function reachesTo(): Promise<number> {
  const [systemId = ''] = await systemsIn(database.backups)
  return (await piecesIn(database.backups, systemId)).at(-1)?.reachesTo.getTime() ?? 0
}

/** Keeps the log during the work, and until all that was written by then is kept. */
async function keepLogWhile(work: () => Promise<unknown>): Promise<void> {
  const stopping = new AbortController()
  const ended = streamLog({
    ...{ ownerUrl: database.ownerUrl, folder: database.backups, key },
    keepEveryMs: 50,
    stopped: stopping.signal,
  })
  await work()
  const end = await databaseNow()
  // Only a piece can name a moment, and without a write there is none.
  const writeOn = () => fill(1).then(reachesTo)
  await expect.poll(writeOn, { timeout: 60_000, interval: 100 }).toBeGreaterThan(end.getTime())
  stopping.abort()
  await ended
}

test('a restore to a moment has every commit before it, although the log of it came late and in many pieces', async () => {
  await keepLogWhile(() => database.takeCopy(key))
  // Nobody takes the log meanwhile, so all of it is written before the first piece of it is kept.
  for (let mib = 0; mib < FILLING_MIB; mib += 1) await fill(1024 * 1024)
  await database.owner.query('insert into migration values (7)')
  // The clock of the database counts finer than a Date.
  const until = new Date((await databaseNow()).getTime() + 1)
  await keepLogWhile(async () => undefined)

  const { owner } = await database.restore({ key, until })
  expect((await owner.query('select number from migration')).rows).toEqual([{ number: 7 }])
}, 120_000)
