import type pg from 'pg'
import { APPLICATION_ROLE } from '../connect/roleNames.ts'

/** These codes mean that somebody else created or granted the same at the same moment. */
const MADE_MEANWHILE = ['23505', '42710', 'XX000']
const MOST_TRIES = 20
const MAY_NOT = '42501'

/**
 * Makes the owner a member of the application's role, which it takes for its ordinary connections. A role belongs to
 * all databases of a cluster, so no lock of this database keeps other starters away.
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

/** The right is tried out, because from PostgreSQL 16 on whoever makes a role is a member that may not take it. */
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
