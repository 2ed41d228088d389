import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { keepPieces } from '#server/testing/backup/keepPieces.ts'
import { takeCopy } from '../copies/takeCopy.ts'
import { logFolder } from '../log/copyNames.ts'
import { readUntil } from './restoreCommand.ts'

// Two databases go on from one backup, one after the other, with one folder for their backups.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
await database.owner.query('create table entry (word text)')
const { facts } = await database.takeCopy(key)
const write = (to: Pick<typeof database, 'owner' | 'ownerUrl'>, word: string) =>
  keepPieces({ ...database, ...to }, { key, count: 2, change: `insert into entry values ('${word}')` })
await write(database, 'first')

const wordsIn = async ({ owner }: Pick<typeof database, 'owner'>) =>
  (await owner.query<{ word: string }>('select distinct word from entry order by word')).rows.map(({ word }) => word)

const refusalOfAll = () =>
  database.restore({ key }).then(
    () => 'restored',
    ({ message }: Error) => message,
  )
const offered = (refusal: string) => readUntil(/--until (\S+)\.$/.exec(refusal)?.[1] ?? '')
const LOST = /^After it went on from a backup, the database was changed up to \S+ and lost before /

test('what a restored database wrote is told to be lost, although nothing is left of its log but where it ended', async () => {
  await write(await database.restore({ key }), 'lost')
  const folder = logFolder(database.backups, facts.systemId)
  for (const name of readdirSync(folder)) if (name.startsWith('00000002')) rmSync(join(folder, name))
  const refusal = await refusalOfAll()
  expect(refusal).toMatch(LOST)
  expect(await wordsIn(await database.restore({ key, until: offered(refusal) }))).toEqual(['first'])
  rmSync(join(folder, '..', 'log-end-00000002'))
}, 120_000)

test('of what a restored database wrote before its first copy nothing comes into the log of the next one', async () => {
  const second = await database.restore({ key })
  expect(await wordsIn(second)).toEqual(['first'])
  await write(second, 'second')
  await second.owner.query("select pg_logical_emit_message(true, 'filling', repeat('x', 1024 * 1024))")
  await write(second, 'second')

  const third = await database.restore({ key, until: offered(await refusalOfAll()) })
  expect(await wordsIn(third)).toEqual(['first'])
  const { rows } = await third.owner.query('select timeline_id as timeline from pg_control_checkpoint()')
  expect(rows).toEqual([{ timeline: 3 }])
  await write(third, 'third')
  expect(await refusalOfAll()).toMatch(LOST)
  await takeCopy({
    ...{ ownerUrl: third.ownerUrl, isEmbedded: true, key },
    ...{ dataFolder: third.dataFolder, folder: database.backups },
  })
  await write(third, 'fourth')
  expect(await wordsIn(await database.restore({ key }))).toEqual(['first', 'fourth', 'third'])
}, 120_000)
