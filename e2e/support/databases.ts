import { dirname } from 'node:path'
import { knock, type MadeDatabase } from '#server/testing/database/databaseRequests.ts'

/** The process that holds the databases passes it to the workers. */
export const DOOR = 'E2E_DATABASE_DOOR'

const door = () => {
  const path = process.env[DOOR]
  if (path === undefined) throw new Error('The run has no databases: playwright.config.ts names what starts them.')
  return path
}

/** The folder belongs to this run; the next one removes it with its databases if this one is killed. */
export const runFolder = () => dirname(door())

/** The product's own value, so that its start has no tables to make. */
const KEPT_DAYS = 90

export async function freshDatabase(): Promise<MadeDatabase> {
  const made = await knock(door(), { make: 'migrated', keptDays: KEPT_DAYS })
  if (made === undefined) throw new Error('The database was not made.')
  return made
}

export const dropDatabase = ({ name }: MadeDatabase) => knock(door(), { drop: name })
