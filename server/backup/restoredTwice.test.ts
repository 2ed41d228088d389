import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backupFixture.ts'
import { keepPieces } from '#server/testing/keepPieces.ts'
import { logFolder } from './copyNames.ts'
import { readUntil } from './restoreCommand.ts'
import { takeCopy } from './takeCopy.ts'

// Two databases that go on from one backup, one after the other, with one folder for their backups.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
await database.owner.query('create table entry (word text)')
const { facts } = await database.takeCopy(key)
const write = (to: Pick<typeof database, 'owner' | 'ownerUrl'>, word: string) =>
  keepPieces({ ...database, ...to }, { key, count: 2, change: `insert into entry values ('${word}')` })
await write(database, 'first')

const wordsIn = async ({ owner }: Pick<typeof database, 'owner'>) =>
  (await owner.query<{ word: string }>('select distinct word from entry order by word')).rows.map(({ word }) => word)

test('what a restored database wrote before its first copy is told to be lost, and the next one keeps its log apart', async () => {
  const second = await database.restore({ key })
  expect(await wordsIn(second)).toEqual(['first'])
  await write(second, 'second')
  const folder = logFolder(database.backups, facts.systemId)
  for (const name of readdirSync(folder)) if (name.startsWith('00000002')) rmSync(join(folder, name))

  const refusal = await database.restore({ key }).then(
    () => 'restored',
    ({ message }: Error) => message,
  )
  expect(refusal).toMatch(/^After it went on from a backup, the database was changed up to \S+ and lost before /)
  const third = await database.restore({ key, until: readUntil(/--until (\S+)\.$/.exec(refusal)?.[1] ?? '') })
  expect(await wordsIn(third)).toEqual(['first'])
  await write(third, 'third')
  await takeCopy({
    ...{ ownerUrl: third.ownerUrl, isEmbedded: true, key },
    ...{ dataFolder: third.dataFolder, folder: database.backups },
  })
  await write(third, 'fourth')
  expect(await wordsIn(await database.restore({ key }))).toEqual(['first', 'fourth', 'third'])
}, 120_000)
