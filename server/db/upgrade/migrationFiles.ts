import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { EARLIER_TEXTS, neededBy } from './versions.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const DECLARED = /^-- (expand|contract of \d{4}): (\S.*)/

export interface Migration {
  readonly number: number
  readonly fileName: string
  readonly sql: string
  /** The SHA-256 of the text in hex. */
  readonly checksum: string
  /** The checksums of earlier texts of this file; a database on which one of them ran has this migration. */
  readonly standsFor: readonly string[]
  /** A program must know at least this migration to run beside it. */
  readonly needs: number
  readonly title: string
}

const migrationFiles = async () => (await readdir(MIGRATIONS)).filter((name) => FILE_NAME.test(name)).sort()

export const newestMigration = async () => Number((await migrationFiles()).at(-1)?.slice(0, 4))

export const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await migrationFiles()).map(async (fileName) =>
      migrationOf(fileName, await readFile(new URL(fileName, MIGRATIONS), 'utf8')),
    ),
  )

export function migrationOf(fileName: string, sql: string): Migration {
  const number = Number(fileName.slice(0, 4))
  return {
    ...{ number, fileName, sql, checksum: createHash('sha256').update(sql).digest('hex') },
    standsFor: EARLIER_TEXTS[fileName] ?? [],
    needs: neededBy(number),
    // The first migrations declare no title, so their name stands for it.
    title: DECLARED.exec(sql)?.[2] ?? fileName.slice(5, -4).replaceAll('_', ' '),
  }
}
