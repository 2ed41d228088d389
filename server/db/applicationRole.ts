import type pg from 'pg'
import { APPLICATION_ROLE } from './roleNames.ts'

/** Somebody else made or granted it at the same moment: a row there twice, an object there twice, a row changed by both. */
const MADE_MEANWHILE = ['23505', '42710', 'XX000']
const MOST_TRIES = 20
const MAY_NOT = '42501'

/**
 * A plain owner takes the application's role for its ordinary connections, so it must be a member of it. A role belongs
 * to all databases of a cluster, so no lock of this one keeps starters on others away.
 */
export async function ensureApplicationRole(owner: pg.ClientBase): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await provideRole(owner)
    } catch (error) {
      if (tries < MOST_TRIES && MADE_MEANWHILE.includes((error as { code?: string }).code ?? '')) continue
      throw new Error(
        `The owner of the database may not make the role ${APPLICATION_ROLE} or join it: ` +
          `let a superuser run "create role ${APPLICATION_ROLE} nologin" if it is missing, ` +
          `and "grant ${APPLICATION_ROLE} to" the owner.`,
        { cause: error },
      )
    }
  }
}

async function provideRole(owner: pg.ClientBase): Promise<void> {
  const found = await owner.query('select from pg_roles where rolname = $1', [APPLICATION_ROLE])
  if (found.rowCount === 0) await owner.query(`create role ${APPLICATION_ROLE} nologin`)
  if (!(await mayTakeRole(owner))) await owner.query(`grant ${APPLICATION_ROLE} to current_user`)
}

/** Tried, because whoever makes a role is a member of it that may not take it, from PostgreSQL 16 on. */
async function mayTakeRole(owner: pg.ClientBase): Promise<boolean> {
  try {
    await owner.query(`set role ${APPLICATION_ROLE}`)
    await owner.query('reset role')
    return true
  } catch (error) {
    if ((error as { code?: string }).code === MAY_NOT) return false
    throw error
  }
}
