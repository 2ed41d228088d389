import type { Migration } from './migrationFiles.ts'

export interface RanMigration {
  readonly number: number
  readonly file_name: string
  readonly checksum: string
  readonly ran_at: Date
  /** Null when the program did not say; then only a program that knows the migration may run. */
  readonly needs: number | null
  readonly stands_for: readonly string[]
}

export interface Standing {
  readonly pending: readonly Migration[]
  /** The migrations that a newer program ran, beside which this one may go on. */
  readonly ahead: readonly RanMigration[]
}

/**
 * Compares a database with the migrations that a program knows.
 *
 * @throws when the program may not run on it: the database is more than one version ahead, or a migration was edited
 */
export function standingOf(known: readonly Migration[], ran: readonly RanMigration[]): Standing {
  const newest = Math.max(0, ...known.map(({ number }) => number))
  for (const row of ran) {
    const own = known.find(({ number }) => number === row.number)
    if (own === undefined) refuseTooNew(row, newest)
    else if (!isSame(own, row)) {
      throw new Error(`Migration ${row.file_name} was changed after it ran; changes need a migration of their own.`)
    }
  }
  const numbers = new Set(ran.map(({ number }) => number))
  return {
    pending: known.filter(({ number }) => !numbers.has(number)),
    ahead: ran.filter(({ number }) => !known.some((own) => own.number === number)),
  }
}

function refuseTooNew({ file_name, needs }: RanMigration, newest: number): void {
  if (needs !== null && needs <= newest) return
  const what = needs === null ? 'is unknown here' : `needs a program that knows ${needs}; this one ends with ${newest}`
  throw new Error(
    `The database is newer than this program: it has migration ${file_name}, which ${what}. Start the newer program, or restore a backup of before.`,
  )
}

/** Both texts count as one migration when they are equal, or when one was edited into the other and declares it. */
const isSame = (own: Migration, row: RanMigration): boolean =>
  own.checksum === row.checksum || own.standsFor.includes(row.checksum) || row.stands_for.includes(own.checksum)
