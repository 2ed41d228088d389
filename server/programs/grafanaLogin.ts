import type { Db } from '../db/database.ts'
import {
  addReportLogin,
  type Customer,
  customerOfLogin,
  dropReportLogin,
  endConnections,
  findCustomer,
  listReportLogins,
  provideReportRole,
  type ReportLogin,
} from '../db/logins/reportLogins.ts'
import { type Statements, statementsOf } from '../db/statements.ts'
import type { Audit } from '../http/call/audit.store.ts'

export const GRAFANA_LOGIN_USAGE = [
  '  npm run admin -- grafana-login add grafana_NAME CUSTOMER|--all',
  '                                              (reads the views for Grafana of a customer, or of all; prints its password)',
  '  npm run admin -- grafana-login rotate grafana_NAME   (another password)',
  '  npm run admin -- grafana-login drop grafana_NAME',
  '  npm run admin -- grafana-login list',
]

export interface GrafanaDeps {
  readonly db: Db
  readonly audit: Audit
  /** Host and port by which Grafana finds the database, and its name. */
  readonly host: string
  readonly database: string
}

/** @returns what does it and returns what to say; undefined for arguments that it does not understand */
export function readGrafanaLogin([verb, login, whose, ...more]: readonly string[]):
  | ((deps: GrafanaDeps) => Promise<string>)
  | undefined {
  if (more.length > 0 || (verb === 'add') !== (whose !== undefined) || (verb === 'list') !== (login === undefined))
    return undefined
  if (verb === 'list') return list
  if (login === undefined) return undefined
  if (verb === 'add') return (deps) => change(deps, 'made', (owner) => add(deps, owner, login, whose ?? ''))
  if (verb === 'rotate') return (deps) => rotate(deps, login)
  return verb === 'drop' ? (deps) => change(deps, 'dropped', (owner) => drop(owner, login)) : undefined
}

interface Changed {
  readonly login: string
  /** Undefined means all customers. */
  readonly customer: Customer | undefined
  readonly answer: string
}

const change = ({ db, audit }: GrafanaDeps, done: string, work: (owner: Statements) => Promise<Changed>) =>
  db.transaction().execute(async (transaction) => {
    const { login, customer, answer } = await work(statementsOf(transaction))
    await audit.write(
      {
        change: { action: 'Update', entity: 'Customer' },
        call: 'admin grafana-login',
        outcome: 'done',
        author: { username: 'Command line', address: '' },
        thing: {
          ...(customer && { ...customer, customerId: customer.id }),
          details: `The login ${login} for Grafana, which sees ${customer?.name ?? 'all customers'}, was ${done}.`,
        },
      },
      transaction,
    )
    return answer
  })

async function add(deps: GrafanaDeps, owner: Statements, login: string, whose: string): Promise<Changed> {
  const customer = whose === '--all' ? undefined : await findCustomer(owner, whose)
  return { login, customer, answer: toConnection(deps, login, await addReportLogin(owner, login, customer?.id)) }
}

async function rotate(deps: GrafanaDeps, login: string): Promise<string> {
  const answer = await change(deps, 'given another password', async (owner) => {
    const customer = await customerOfLogin(owner, login)
    return { login, customer, answer: toConnection(deps, login, await provideReportRole(owner, login)) }
  })
  // Only now is the older password worth nothing.
  await endConnections(statementsOf(deps.db), login)
  return answer
}

async function drop(owner: Statements, login: string): Promise<Changed> {
  const customer = await customerOfLogin(owner, login)
  const answer = (await dropReportLogin(owner, login))
    ? `${login} is dropped.`
    : `${login} may not log in any more. Its role stays, because something in this cluster belongs to it.`
  return { login, customer, answer }
}

async function list({ db }: GrafanaDeps): Promise<string> {
  const logins = await listReportLogins(statementsOf(db))
  return logins.length === 0 ? 'There are no logins for Grafana.' : logins.map(toLine).join('\n')
}

function toLine({ login, customer, isActive, madeAt, hasRole, connections }: ReportLogin): string {
  const isSeeing = isActive ? `${connections} connections` : 'sees nothing, because the customer is not active'
  const state = hasRole ? isSeeing : 'has no role in this cluster until you rotate it'
  return `${login}: ${customer ?? 'all customers'}, made ${madeAt.toISOString().slice(0, 10)}, ${state}`
}

const toConnection = ({ host, database }: GrafanaDeps, login: string, password: string) =>
  [`Host URL: ${host}`, `Database name: ${database}`, `Username: ${login}`, `Password: ${password}`].join('\n')
