/**
 * Names each version of Wayside with the newest migration that it came with, oldest first. A version gets its line when
 * it is released: from then on migrations belong to the next one.
 */
const VERSIONS: readonly Version[] = [{ version: '0.1.0', newestMigration: 48 }]

export interface Version {
  readonly version: string
  readonly newestMigration: number
}

/**
 * Returns the migration that a program has to know at least to run on a schema with this one: the newest of the version
 * before the one it came with. A program therefore runs on the schema of the next version, and of none later (decision
 * 207).
 */
export const neededBy = (migration: number, versions: readonly Version[] = VERSIONS): number =>
  versions.findLast(({ newestMigration }) => newestMigration < migration)?.newestMigration ?? 0

/**
 * Lists migrations whose file was edited after they had run somewhere, with the SHA-256 of each earlier text. A
 * database on which an earlier text ran is as good, and so is one on which the present text ran for a program that
 * knows the earlier.
 */
export const EARLIER_TEXTS: Readonly<Record<string, readonly string[]>> = {}
