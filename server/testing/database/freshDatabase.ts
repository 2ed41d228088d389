import { chmodSync, mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { type DatabaseRequest, knock } from './databaseRequests.ts'
import { KEPT_DAYS } from './keptDays.ts'
import { recordStatements } from './statementRecord.ts'

export type FreshDatabase = Readonly<{ ownerUrl: string; applicationUrl: string; drop: () => Promise<void> }>

/** Makes a migrated database with the day tables of so many past days; `drop` ends its connections too. */
export const freshDatabase = ({ keptDays = KEPT_DAYS }: { readonly keptDays?: number } = {}) =>
  makeDatabase({ make: 'migrated', keptDays })

/** Makes a database without a single table, for tests of the migrations themselves. */
export const emptyDatabase = () => makeDatabase({ make: 'empty' })

async function makeDatabase(request: DatabaseRequest): Promise<FreshDatabase> {
  const door = inject('databaseDoor')
  recordStatements(dirname(door))
  const made = await knock(door, request)
  if (made === undefined) throw new Error('The test database was not made.')
  const { name, ownerUrl, applicationUrl } = made
  return {
    ownerUrl,
    applicationUrl,
    drop: async () => {
      await knock(door, { drop: name })
    },
  }
}

/** Makes a folder that everybody may enter; this run or, after a kill, the next removes it with its databases. */
export function runFolder(name: string): string {
  const folder = mkdtempSync(join(dirname(inject('databaseDoor')), `${name}-`))
  chmodSync(folder, 0o755)
  return folder
}
