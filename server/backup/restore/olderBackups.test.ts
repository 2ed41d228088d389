import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { keepPieces } from '#server/testing/backup/keepPieces.ts'
import { checkBackups } from '../copies/checkBackups.ts'
import { copiesIn, type Piece, piecesIn } from '../log/copyNames.ts'
import { sealInto, unsealed } from '../seal/sealInto.ts'
import { restoreCopy } from './restoreCopy.ts'

// These are backups of versions whose pieces said nothing of their places, and that kept no list of copies.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
await database.owner.query('create table entry (number serial)')
const { facts } = await database.takeCopy(key)
await keepPieces(database, { key, count: 6, change: 'insert into entry default values' })

const piecesOf = (backups: string) => piecesIn(backups, facts.systemId)

async function contentOf({ path }: Piece): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of unsealed(path, key, 'log')) parts.push(part)
  return Buffer.concat(parts)
}

async function sealAsBefore({ path }: Piece, bytes: Buffer): Promise<void> {
  rmSync(path)
  await sealInto(path, [bytes], { kind: 'log', key })
}

let made = 0
/** Returns the backup as an earlier version would have left it. */
async function olderBackup(): Promise<string> {
  made += 1
  const backups = join(database.folder, `older-${made}`)
  cpSync(database.backups, backups, { recursive: true })
  for (const piece of await piecesOf(backups)) await sealAsBefore(piece, await contentOf(piece))
  const system = join(backups, facts.systemId)
  for (const name of readdirSync(system)) if (/^(copies|log-end-.*)$/.test(name)) rmSync(join(system, name))
  const [copy] = (await copiesIn(backups, facts.systemId)).copies
  const summary = join(copy?.folder ?? '', 'summary')
  const { isListed: _, ...before } = facts
  rmSync(summary)
  await sealInto(summary, [], { kind: 'summary', facts: before, key })
  return backups
}

const rowsIn = async (owner: typeof database.owner) =>
  (await owner.query<{ count: number }>('select count(*)::int as count from entry')).rows[0]?.count

test('a backup of a version before is restored, and what cannot be proven of it is said', async () => {
  const backups = await olderBackup()
  const said: string[] = []
  const back = await database.restore({ key, backups, say: (sentence) => said.push(sentence) })
  expect(await rowsIn(back.owner)).toBe(await rowsIn(database.owner))
  const count = back.restored.pieces.length
  expect(said.join('\n')).toContain(
    `${count} of ${count} pieces of the log are of a version of Wayside that did not seal`,
  )
  const { wrong, notes } = await checkBackups(backups, key)
  expect(wrong).toEqual([])
  expect(notes.join()).toContain('that each is the one that belongs there cannot be proven')
}, 60_000)

test('where the log of such a backup is not what it should be, it is refused, and all before comes back', async () => {
  const backups = await olderBackup()
  // The first pieces fill the segment in which the copy ended, and nobody reads that.
  const pieces = (await piecesOf(backups)).slice(-4, -2)
  const [long, short] = (
    await Promise.all(pieces.map(async (piece) => ({ piece, bytes: await contentOf(piece) })))
  ).toSorted((one, other) => other.bytes.length - one.bytes.length)
  if (!long || !short) throw new Error('There are too few pieces.')
  await sealAsBefore(short.piece, long.bytes.subarray(0, short.bytes.length))
  const dataFolder = join(database.folder, 'refused')
  const wish = { folder: backups, dataFolder, key, systemFolder: join(database.folder, 'system'), say: () => undefined }
  const refusal = await restoreCopy({ ...wish, settings: { fsync: 'off' } }).then(
    () => 'restored',
    ({ message }: Error) => message,
  )
  expect(refusal).toMatch(/^PostgreSQL could play the log only up to .* is not the log that belongs there/)
  expect(existsSync(join(dataFolder, 'postgres-18'))).toBe(false)
  const until = new Date(/--until (\S+)\.$/.exec(refusal)?.[1] ?? '')
  const back = await database.restore({ key, backups, until })
  const [restored, all] = [await rowsIn(back.owner), await rowsIn(database.owner)]
  expect(restored).toBeLessThan(all ?? 0)
  expect(restored).toBeGreaterThan(0)
  // A restore must not report a moment that it did not reach.
  expect(back.restored.lastCommitAt?.getTime()).toBeLessThanOrEqual(until.getTime())
}, 60_000)
