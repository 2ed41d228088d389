import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { keepPieces } from '#server/testing/backup/keepPieces.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { provenChoice } from '../restore/layCopy.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { sha256Of } from '../seal/sealedRecord.ts'
import { sealInto, unsealed } from '../seal/sealInto.ts'
import { checkBackups } from './checkBackups.ts'
import { checkSeals } from './checkCopy.ts'
import { tidyBackups } from './retention.ts'

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)

const keep = (count: number) =>
  keepPieces(database, { key, count, change: "select pg_logical_emit_message(true, 'change', md5(random()::text))" })

await keep(1)
await database.takeCopy(key)
await keep(4)
const { facts } = await database.takeCopy(key)
await keep(5)
// What no copy needs is deleted, as after each copy, so that the test cannot miss it.
await tidyBackups({ folder: database.backups, systemId: facts.systemId, key, keepDays: 14, now: new Date() })

function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    return entry.isDirectory() ? filesIn(folder, path) : [path]
  })
}

/** Makes a second folder with the same files, as links: whoever changes a file there must replace it. */
function twinOf(folder: string, name: string): string {
  const twin = join(database.folder, name)
  for (const path of filesIn(folder)) {
    mkdirSync(dirname(join(twin, path)), { recursive: true })
    linkSync(join(folder, path), join(twin, path))
  }
  return twin
}

function writeAnew(path: string, bytes: Buffer): void {
  rmSync(path, { force: true })
  writeFileSync(path, bytes)
}

type Chance = () => number
const among = <Value>(chance: Chance, values: readonly Value[]): Value => {
  const value = values[Math.floor(chance() * values.length)]
  if (value === undefined) throw new Error('There is nothing to choose from.')
  return value
}
const twoAmong = (chance: Chance, values: readonly string[]): [string, string] => {
  const one = among(chance, values)
  return [
    one,
    among(
      chance,
      values.filter((value) => value !== one),
    ),
  ]
}

const isPiece = (path: string) => basename(dirname(path)) === 'log'

interface Tampering {
  readonly folder: string
  readonly files: readonly string[]
  readonly chance: Chance
}

const pathsOf = ({ folder, files }: Tampering) => files.map((file) => join(folder, file))
const piecesOf = (given: Tampering) => pathsOf(given).filter(isPiece)

/** Lists what can happen to a folder of backups on disks, mounts and by hand; each returns what it did. */
const TAMPERINGS: Readonly<Record<string, (given: Tampering) => unknown>> = {
  'a file is gone': (given) => {
    const path = among(given.chance, pathsOf(given))
    rmSync(path)
    return path
  },
  'a piece is gone': (given) => {
    const path = among(given.chance, piecesOf(given))
    rmSync(path)
    return path
  },
  'several pieces are gone': (given) => {
    const pieces = piecesOf(given).toSorted()
    const from = Math.floor(given.chance() * (pieces.length - 1))
    const gone = pieces.slice(from, from + 2 + Math.floor(given.chance() * 3))
    for (const path of gone) rmSync(path)
    return gone
  },
  'one piece is copied over another': (given) => {
    const [one, other] = twoAmong(given.chance, piecesOf(given))
    writeAnew(other, readFileSync(one))
    return [one, other]
  },
  'two pieces are swapped': (given) => {
    const [one, other] = twoAmong(given.chance, piecesOf(given))
    const bytes = readFileSync(one)
    writeAnew(one, readFileSync(other))
    writeAnew(other, bytes)
    return [one, other]
  },
  'one file is copied over another': (given) => {
    const [one, other] = twoAmong(given.chance, pathsOf(given))
    writeAnew(other, readFileSync(one))
    return [one, other]
  },
  'a file is cut off': (given) => {
    const path = among(given.chance, pathsOf(given))
    const bytes = readFileSync(path)
    writeAnew(path, bytes.subarray(0, Math.floor(given.chance() * bytes.length)))
    return path
  },
  'a file goes on behind its end': (given) => {
    const path = among(given.chance, pathsOf(given))
    writeAnew(path, Buffer.concat([readFileSync(path), randomBytes(1 + Math.floor(given.chance() * 50))]))
    return path
  },
  'a bit is another': (given) => {
    const path = among(given.chance, pathsOf(given))
    const bytes = Buffer.from(readFileSync(path))
    const at = Math.floor(given.chance() * bytes.length)
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(given.chance() * 8)), at)
    writeAnew(path, bytes)
    return [path, at]
  },
  'a piece has the name of another place': (given) => {
    const path = among(given.chance, piecesOf(given))
    const digit = Math.floor(given.chance() * basename(path).length)
    const other = [...basename(path)].with(digit, among(given.chance, ['0', '1', '7', '9', 'a'])).join('')
    if (other === basename(path)) rmSync(path)
    else renameSync(path, join(dirname(path), other))
    return [path, other]
  },
  'a piece is there twice': (given) => {
    const path = among(given.chance, piecesOf(given))
    const twice = path.replace(/.$/, (last) => String((Number(last) + 1) % 10))
    copyFileSync(path, twice)
    return twice
  },
  'a file has another name': (given) => {
    const path = among(given.chance, pathsOf(given))
    renameSync(path, `${path}.old`)
    return path
  },
  'a whole copy is gone': (given) => {
    const copy = dirname(
      among(
        given.chance,
        pathsOf(given).filter((path) => basename(path) === 'summary'),
      ),
    )
    rmSync(copy, { recursive: true })
    return copy
  },
  'a whole copy has the name of another moment': (given) => {
    const copy = dirname(
      among(
        given.chance,
        pathsOf(given).filter((path) => basename(path) === 'summary'),
      ),
    )
    renameSync(copy, copy.replace(/copy-\d{4}/, 'copy-2031'))
    return copy
  },
  'the files of two copies are exchanged': (given) => {
    const name = among(given.chance, ['summary', 'database', 'manifest', 'files'])
    const [one = '', other = ''] = pathsOf(given).filter((path) => basename(path) === name)
    const bytes = readFileSync(one)
    writeAnew(one, readFileSync(other))
    writeAnew(other, bytes)
    return name
  },
  'the log is gone': (given) => {
    const folder = dirname(among(given.chance, piecesOf(given)))
    rmSync(folder, { recursive: true })
    return folder
  },
}

/** Returns what a restore would write, file by file, or the sentence by which it refuses. */
async function restoredFrom(folder: string): Promise<readonly string[] | string> {
  const wish = { folder, dataFolder: join(database.folder, 'nowhere'), key, say: () => undefined }
  try {
    const { copy, pieces } = await provenChoice(wish)
    const laid = ['summary', 'database', 'manifest', 'files'].map((name) => join(copy.folder, name))
    return Promise.all([...laid, ...pieces.map(({ path }) => path)].map(sha256Of))
  } catch (error) {
    if (error instanceof BackupRefused) return error.message
    throw error
  }
}

test('of 100 tamperings with a folder of backups none is unnoticed, and a restore gives all of it or refuses', async () => {
  const chance = seededRandom()
  const untouched = twinOf(database.backups, 'untouched')
  expect((await checkBackups(untouched, key)).wrong).toEqual([])
  const whole = await restoredFrom(untouched)
  if (typeof whole === 'string') throw new Error(whole)
  expect(whole.length).toBeGreaterThan(8)
  const [unnoticed, lies]: unknown[][] = [[], []]
  for (let round = 0; round < 100; round += 1) {
    const folder = twinOf(database.backups, `tampered-${round}`)
    const [name, tamper] = among(chance, Object.entries(TAMPERINGS))
    const what = { name, did: tamper({ folder, files: filesIn(folder), chance }) }
    // Seals already prove the content of a copy, and unpacking takes time.
    const { wrong } = await checkBackups(folder, key, checkSeals)
    if (wrong.length === 0) unnoticed?.push(what)
    const restored = await restoredFrom(folder)
    const isOther = typeof restored !== 'string' && !endsLike(restored, whole)
    if (isOther) lies?.push({ ...what, restored })
    rmSync(folder, { recursive: true })
  }
  expect(unnoticed).toEqual([])
  expect(lies).toEqual([])
}, 300_000)

/** An older copy with more of the log gives the same as the newest. */
const endsLike = (files: readonly string[], whole: readonly string[]) =>
  files.length >= whole.length && whole.slice(4).every((hash, index) => hash === files.at(index + 4 - whole.length))

/** Makes a folder with the same backup, in which somebody changed the newest piece of the log. */
async function afterChange(name: string, change: (newest: string) => unknown) {
  const folder = twinOf(database.backups, name)
  const newest = filesIn(folder).filter(isPiece).toSorted().at(-1) ?? ''
  await change(join(folder, newest))
  return restoredFrom(folder)
}

test('a piece that says of itself what it should, but was sealed without the key, is refused', async () => {
  const refusal = await afterChange('plain', async (newest) => {
    const { facts } = await readHeader(newest, 'log')
    const parts: Buffer[] = []
    for await (const part of unsealed(newest, key, 'log')) parts.push(part)
    rmSync(newest)
    await sealInto(newest, parts, { kind: 'log', facts, key: undefined })
  })
  expect(refusal).toMatch(/ is not encrypted, although the backup is: .* Restore what is whole with --until \S+\.$/)
})

test('changes after a restore of which no copy was taken are told, and not left out', async () => {
  const refusal = await afterChange('later', (newest) => {
    copyFileSync(newest, join(dirname(newest), basename(newest).replace(/^00000001/, '00000002')))
  })
  expect(refusal).toMatch(/^After it went on from a backup, the database was changed up to \S+ and lost before/)
})
