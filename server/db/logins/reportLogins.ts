import pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import type { Statements } from '../statements.ts'
import { newPassword } from './databaseLogins.ts'

/** The beginning tells such a login from others of the cluster, also to pg_hba.conf. */
const NAME = /^grafana_[a-z0-9_]{1,55}$/

/** A login may change these for itself: they keep mistakes small, and no rights depend on them. */
const SETTINGS = {
  default_transaction_read_only: 'on',
  search_path: 'reports',
  timezone: 'UTC',
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '30s',
  work_mem: '16MB',
  max_parallel_workers_per_gather: '0',
}
const MOST_CONNECTIONS = 10

export interface ReportLogin {
  readonly login: string
  /** The name of a customer; null for those of all. */
  readonly customer: string | null
  readonly isActive: boolean
  readonly madeAt: Date
  /** Its role is missing in a cluster where only the database was restored. */
  readonly hasRole: boolean
  readonly connections: number
}

export interface Customer {
  readonly id: CustomerId
  readonly name: string
}

/** @throws Error of one sentence when there is no such customer */
export async function findCustomer(owner: Statements, name: string): Promise<Customer> {
  const { rows } = await owner.query<Customer>('select id, name from customer where lower(name) = lower($1)', [name])
  if (rows[0] === undefined) throw new Error(`There is no customer ${name}.`)
  return rows[0]
}

/**
 * Makes a login that reads the views of one customer, or of all.
 *
 * @param owner in a transaction, as the owner of the tables
 * @returns the password; the database receives its verifier alone
 * @throws Error of one sentence, or PostgreSQL's own words
 */
export async function addReportLogin(
  owner: Statements,
  login: string,
  customerId: CustomerId | undefined,
): Promise<string> {
  if (!NAME.test(login)) {
    throw new Error(`"${login}" cannot be a login for Grafana: grafana_ and small letters, digits or underscores.`)
  }
  if (await hasRole(owner, login)) throw new Error(`There is a role ${login} already.`)
  await owner.query('insert into report_login (login, customer_id) values ($1, $2)', [login, customerId ?? null])
  return provideReportRole(owner, login)
}

/** @returns whether its role is gone; something that it made in this cluster keeps the role, which then may not log in */
export async function dropReportLogin(owner: Statements, login: string): Promise<boolean> {
  // From here on connections that are open see nothing.
  await owner.query('delete from report_login where login = $1', [login])
  if (!(await hasRole(owner, login))) return true
  await owner.query(`alter role ${login} nologin password null`)
  await endConnections(owner, login)
  await owner.query(`revoke usage on schema reports from ${login}`)
  await owner.query(`revoke connect on database ${await databaseName(owner)} from ${login}`)
  await owner.query('savepoint dropping')
  try {
    await owner.query(`drop role ${login}`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== DEPENDS_ON_IT) throw error
    await owner.query('rollback to savepoint dropping')
    return false
  }
}
const DEPENDS_ON_IT = '2BP01'

/** Whoever knows an older password would stay connected otherwise. */
export async function endConnections(owner: Statements, login: string): Promise<void> {
  await owner.query(`grant ${login} to current_user`)
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])
}

export async function listReportLogins(owner: Statements): Promise<readonly ReportLogin[]> {
  const { rows } = await owner.query<ReportLogin>(
    `select l.login, c.name as customer, coalesce(c.is_active, true) as "isActive", l.made_at as "madeAt",
       r.oid is not null as "hasRole",
       (select count(*)::int from pg_stat_activity a where a.usesysid = r.oid) as connections
     from report_login l left join customer c on c.id = l.customer_id left join pg_roles r on r.rolname = l.login
     order by l.login`,
  )
  return rows
}

/**
 * @returns whose rows a login sees; undefined means those of all
 * @throws Error of one sentence when there is no such login
 */
export async function customerOfLogin(owner: Statements, login: string): Promise<Customer | undefined> {
  const { rows } = await owner.query<{ customer: Customer | null }>(
    `select case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end as customer
     from report_login l left join customer c on c.id = l.customer_id where l.login = $1`,
    [login],
  )
  if (rows[0] === undefined) throw new Error(`There is no login ${login} for Grafana.`)
  return rows[0].customer ?? undefined
}

/** Gives a login another password, the limits of a new one, and its role where only the database was restored. */
export async function provideReportRole(owner: Statements, login: string): Promise<string> {
  const { password, verifier } = newPassword()
  const verb = (await hasRole(owner, login)) ? 'alter' : 'create'
  await owner.query(`${verb} role ${login} login connection limit ${MOST_CONNECTIONS} password ${verifier}`)
  const database = await databaseName(owner)
  await owner.query(`alter role ${login} reset all`)
  await owner.query(`alter role ${login} in database ${database} reset all`)
  for (const [name, value] of Object.entries(SETTINGS))
    await owner.query(`alter role ${login} set ${name} = '${value}'`)
  await owner.query(`grant connect on database ${database} to ${login}`)
  await owner.query(`grant usage on schema reports to ${login}`)
  await refuseMoreRights(owner, login)
  return password
}

/** What everybody may do in a database holds for each login too, so a database with such rights gets none. */
async function refuseMoreRights(owner: Statements, login: string): Promise<void> {
  const { rows } = await owner.query<{ right: string }>(
    `select 'read or change ' || c.oid::regclass as right from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$|reports$)'
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
       and (has_table_privilege($1, c.oid, 'select, insert, update, delete, truncate')
         or has_any_column_privilege($1, c.oid, 'select, insert, update'))
     union all
     select 'create something in the schema ' || n.nspname from pg_namespace n
     where n.nspname !~ '^pg_' and has_schema_privilege($1, n.oid, 'create')
     limit 1`,
    [login],
  )
  if (rows[0]) throw new Error(`Everybody may ${rows[0].right} in this database; revoke that from public first.`)
}

async function hasRole(owner: Statements, login: string): Promise<boolean> {
  return (await owner.query('select from pg_roles where rolname = $1', [login])).rows.length > 0
}

async function databaseName(owner: Statements): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  return pg.escapeIdentifier(rows[0]?.name ?? '')
}
