import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { APPLICATION_ROLE } from '../connect/roleNames.ts'

// An application can have two logins, because PostgreSQL stores one password for each role: a new one needs no stop.

const NAME = /^[a-z][a-z0-9_]{0,62}$/
const ITERATIONS = 4096

/**
 * Makes a login with exactly the rights of the application.
 *
 * @param owner connected as the owner of the tables
 * @returns the password; the database receives its SCRAM verifier alone, so none of its logs can hold it
 * @throws Error of one sentence, or PostgreSQL's own words
 */
export async function addLogin(owner: pg.ClientBase | pg.Pool, name: string): Promise<string> {
  if (!NAME.test(name)) {
    throw new Error(`"${name}" cannot be a login: small letters, digits and underscores, beginning with a letter.`)
  }
  const taken = await owner.query('select from pg_roles where rolname = $1', [name])
  if (taken.rowCount !== 0) throw new Error(`There is a role ${name} already.`)
  const { password, verifier } = newPassword()
  await owner.query(`create role ${name} login inherit password ${verifier} in role ${APPLICATION_ROLE}`)
  return password
}

/** Makes a password, and what a statement sends of it: its verifier, quoted. */
export function newPassword(): { readonly password: string; readonly verifier: string } {
  const password = randomBytes(24).toString('hex')
  return { password, verifier: pg.escapeLiteral(scramVerifier(password, randomBytes(16))) }
}

/** Computes the verifier of RFC 5803 in the form in which PostgreSQL stores it. */
function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

/**
 * Ends a login of the application. The role of the application itself stays, because it has the rights, but it may no
 * longer log in.
 *
 * @throws Error of one sentence while anybody is connected by it, and for any other role
 */
export async function removeLogin(owner: pg.ClientBase | pg.Pool, name: string): Promise<void> {
  const { rows } = await owner.query<{ isLogin: boolean; connections: number }>(
    `select r.rolcanlogin and (r.rolname = $2 or exists (
         select from pg_auth_members m join pg_roles of on of.oid = m.roleid
         where m.member = r.oid and of.rolname = $2)) and r.rolname <> current_user as "isLogin",
       (select count(*)::int from pg_stat_activity where usesysid = r.oid) as connections
     from pg_roles r where r.rolname = $1`,
    [name, APPLICATION_ROLE],
  )
  const [found] = rows
  if (!found?.isLogin) throw new Error(`${name} is no login of the application.`)
  if (found.connections > 0) {
    throw new Error(`${name} is in use by ${found.connections} connections: start every server by the new login first.`)
  }
  await owner.query(
    name === APPLICATION_ROLE ? `alter role ${name} nologin password null` : `drop role ${pg.escapeIdentifier(name)}`,
  )
}
