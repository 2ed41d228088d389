import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'

/** The address of a database, and the setting that an operator changes when it is wrong. */
export interface NamedUrl {
  readonly setting: string
  readonly url: string
}

export interface ReachDeps {
  /** Refuses an address of the owner whose role does not own the tables. */
  readonly asOwner?: boolean
  readonly say?: (sentence: string) => void
  /** Aborts the wait for a database that takes long to start. */
  readonly signal?: AbortSignal
}

const ANSWERS_WITHIN_MS = 10 * SECOND_MS
const TRY_AGAIN_AFTER_MS = SECOND_MS
const STARTING = '57P03'

/**
 * Makes sure that both addresses lead to one usable database, and waits while it starts.
 *
 * @throws an `Error` of one sentence that names the setting, and holds no password
 */
export async function reachDatabase(application: NamedUrl, owner: NamedUrl, deps: ReachDeps = {}): Promise<void> {
  const owned = await ask(owner, deps)
  if (deps.asOwner && owned.isForeign) {
    throw new Error(
      `${owner.setting} signs in as the role "${owned.role}", which does not own the tables: set DATABASE_OWNER_URL to the role that does.`,
    )
  }
  if (application.url === owner.url) return
  if ((await ask(application, deps)).place !== owned.place) {
    throw new Error(
      `${application.setting} and ${owner.setting} name two different databases, and it has to be the same one.`,
    )
  }
}

interface Found {
  readonly role: string
  /** The start of its server identifies the database: every role may ask it, and every address gives the same. */
  readonly place: string
  /** The tables exist and belong to another role. */
  readonly isForeign: boolean
}

const LOOK_SQL = `
  select current_user as role,
         pg_postmaster_start_time() || '/' || d.oid as place,
         exists (select from pg_class where oid = to_regclass('migration') and not pg_has_role(relowner, 'usage'))
           as "isForeign"
  from pg_database d where d.datname = current_database()`

async function ask({ setting, url }: NamedUrl, { say = () => undefined, signal }: ReachDeps): Promise<Found> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted()
    const client = new pg.Client({
      connectionString: url,
      application_name: 'wayside start',
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const [found] = (await client.query<Found>(LOOK_SQL)).rows
      if (found) return found
    } catch (error) {
      if ((error as { code?: unknown }).code !== STARTING) {
        throw new Error(`${setting}: ${whyUnreachable(error, client)}.`, { cause: error })
      }
      if (tries === 1) say(`The database of ${setting} is starting or stopping; waiting for it …`)
    } finally {
      client.end().catch(() => undefined)
    }
    await sleep(TRY_AGAIN_AFTER_MS, undefined, { signal })
  }
}

/** The parts of an address that the operator can compare. */
type Address = Pick<pg.Client, 'host' | 'port' | 'database' | 'user'>

const REASONS: Readonly<Record<string, (address: Address) => string>> = {
  ENOTFOUND: ({ host }) => `there is no host named "${host}"`,
  EAI_AGAIN: ({ host }) => `the name "${host}" cannot be looked up now, because the DNS does not answer`,
  ECONNREFUSED: (address) => `nothing listens at ${placeOf(address)}`,
  ENOENT: (address) => `nothing listens at ${placeOf(address)}`,
  EHOSTUNREACH: (address) => `there is no way to ${placeOf(address)}`,
  ENETUNREACH: (address) => `there is no way to ${placeOf(address)}`,
  ETIMEDOUT: (address) => `${placeOf(address)} does not answer`,
  ECONNRESET: (address) => `${placeOf(address)} ended the connection; is it a PostgreSQL?`,
  '3D000': ({ database }) => `there is no database named "${database}"`,
  '28P01': ({ user }) => `the database does not know the role "${user}", or refuses its password`,
  '53300': () => 'the database has no connection left',
}

const placeOf = ({ host, port }: Address) => (host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`)

function whyUnreachable(error: unknown, address: Address): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string }
  const reason = typeof code === 'string' ? REASONS[code] : undefined
  if (reason) return reason(address)
  if (message?.includes('timeout')) return `${placeOf(address)} does not answer`
  const said = message?.replace(/\.$/, '') || String(code ?? error)
  return `the database at ${placeOf(address)} cannot be used: ${said}`
}
