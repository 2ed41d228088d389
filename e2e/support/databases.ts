import { dirname } from 'node:path'
import { knock, type MadeDatabase } from '#server/testing/database/databaseRequests.ts'

/** Handed from the process that holds the databases to those of the workers. */
export const DOOR = 'E2E_DATABASE_DOOR'

const door = () => {
  const path = process.env[DOOR]
  if (path === undefined) throw new Error('The run has no databases: playwright.config.ts names what starts them.')
  return path
}

/** Of this run; removed with its databases, by the next run if this one is killed. */
export const runFolder = () => dirname(door())

/** The product's own, so that its start has no tables to make. */
const KEPT_DAYS = 90

/** A migrated database. */
export async function freshDatabase(): Promise<MadeDatabase> {
  const made = await knock(door(), { make: 'migrated', keptDays: KEPT_DAYS })
  if (made === undefined) throw new Error('The database was not made.')
  return made
}

export const dropDatabase = ({ name }: MadeDatabase) => knock(door(), { drop: name })
