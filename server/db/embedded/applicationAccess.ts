import { Client } from 'pg'
import { APPLICATION_ROLE } from '#server/db/connect/roleNames.ts'
import { DATABASE, OWNER_ROLE } from './cluster.ts'
import type { Passwords } from './clusterPasswords.ts'
import { demoteOwner } from './demoteOwner.ts'
import { SOCKET_PORT } from './socketFolder.ts'

export type Urls = Readonly<{ ownerUrl: string; applicationUrl: string }>

/** libpq, `pg` and `new URL` all understand this form: the host in front is replaced by the socket's folder. */
function urlOf(socketFolder: string, role: string, password: string, database: string): string {
  return `postgresql://${role}:${password}@localhost:${SOCKET_PORT}/${database}?host=${encodeURIComponent(socketFolder)}`
}

export function urlsOf(socketFolder: string, { owner, application }: Passwords): Urls {
  return {
    ownerUrl: urlOf(socketFolder, OWNER_ROLE, owner, DATABASE),
    applicationUrl: urlOf(socketFolder, APPLICATION_ROLE, application, DATABASE),
  }
}

export async function provideRolesAndDatabase(socketFolder: string, passwords: Passwords): Promise<void> {
  const client = new Client({ connectionString: urlOf(socketFolder, OWNER_ROLE, passwords.owner, 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION_ROLE])
    const verb = role.rowCount === 0 ? 'create' : 'alter'
    if (role.rowCount === 0 || passwords.isNew) {
      // These statements take no parameters; the password is our own hexadecimal text, so it needs no quoting.
      await client.query(`${verb} role ${APPLICATION_ROLE} login password '${passwords.application}'`)
    }
    const database = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (database.rowCount === 0) await client.query(`create database ${DATABASE} owner ${OWNER_ROLE}`)
    await client.query(`revoke all on database ${DATABASE} from public`)
    await client.query(`grant connect, temporary on database ${DATABASE} to ${APPLICATION_ROLE}`)
  } finally {
    await client.end()
  }
}

/** Takes the superuser's rights from the owner of a cluster that an earlier version made. */
export async function takeSuperuserRights(
  socketFolder: string,
  passwords: Passwords,
  log: (sentence: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: urlsOf(socketFolder, passwords).ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ is: boolean }>(
      'select rolsuper as is from pg_roles where rolname = current_user',
    )
    if (!rows[0]?.is) return
    await demoteOwner(client, passwords.owner)
    log('The owner of the database is no superuser any more.')
  } finally {
    await client.end()
  }
}
