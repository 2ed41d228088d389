import { formatBytes } from '#domain/units/bytes.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { CitusState, NodeSettings, TableState, WorkerState } from './citusState.ts'

const GUIDE = 'docs/guide/run/more-than-one-machine.md'
/** Versions of Citus that were tried with the whole product. */
const OLDEST_VERSION = 13
const NEWEST_TRIED = 14
/** A query over many days of many shards locks each of them and its indexes. */
const FEWEST_LOCKS = 1024
/** Copying needs room for the rows, their indexes and the log of the database. */
const SPARE_FACTOR = 2

/** Says in words what keeps the tables from being distributed; nothing when they can be. */
export function whatIsMissing(state: CitusState): readonly string[] {
  const { version, isInstalled, postgresVersion } = state
  if (version === null && !isInstalled) {
    return [
      `This PostgreSQL ${postgresVersion} has no Citus. Install it on this machine and on each worker, and start PostgreSQL ` +
        `with shared_preload_libraries = 'citus' (${GUIDE}).`,
    ]
  }
  if (version === null) {
    return ['Citus is installed, but not in this database: let a superuser run "create extension citus" in it.']
  }
  const major = Number.parseInt(version, 10)
  if (major < OLDEST_VERSION) return [`Citus ${version} is too old: ${OLDEST_VERSION} or newer is needed.`]
  return [
    ...(state.knowsCoordinator
      ? []
      : ['The coordinator does not know its own address: "select citus_set_coordinator_host(\'HOST\', PORT)".']),
    ...(state.workers.length === 0 ? ['There is no worker yet: "select citus_add_node(\'HOST\', PORT)".'] : []),
    ...settingsMissing('the coordinator', state.coordinator),
    ...state.workers.flatMap(workerMissing),
    ...roomMissing(state),
  ]
}

/** Says what is no hindrance, but should be known. */
export function whatToKnow({ version, coordinator, workers, hasReportLogins }: CitusState): readonly string[] {
  const untried = Number.parseInt(version ?? '', 10) > NEWEST_TRIED
  const places = [{ name: 'the coordinator', settings: coordinator }, ...workers]
  const notLogical = places.filter(({ settings }) => settings !== undefined && settings.walLevel !== 'logical')
  return [
    ...(untried ? [`Citus ${version} is newer than what was tried (${NEWEST_TRIED}).`] : []),
    ...(notLogical.length === 0
      ? []
      : [
          `wal_level is not logical on ${notLogical.map(({ name }) => name).join(', ')}: ` +
            'shards can then be moved to another worker only while nothing is written to them.',
        ]),
    ...(hasReportLogins
      ? [`Logins for Grafana do not see readings and hourly values where these are on workers (${GUIDE}).`]
      : []),
  ]
}

function workerMissing({ name, isActive, ownerTrouble, applicationTrouble, settings }: WorkerState): readonly string[] {
  if (ownerTrouble !== undefined) return [cannotSignIn(name, 'the owner of the tables', ownerTrouble)]
  return [
    ...(isActive ? [] : [`The worker ${name} is switched off: "select citus_activate_node(…)".`]),
    ...(applicationTrouble === undefined ? [] : [cannotSignIn(name, 'wayside_app', applicationTrouble)]),
    ...settingsMissing(`the worker ${name}`, settings),
  ]
}

const cannotSignIn = (worker: string, who: string, trouble: string) =>
  `The coordinator cannot sign in to the worker ${worker} as ${who}: ${sentence(trouble)} ` +
  `The role needs "login" and a password, and the coordinator a line for it in .pgpass (${GUIDE}).`

const sentence = (words: string) => `${words.trim().split('\n')[0]?.replace(/[.:]$/, '')}.`

function settingsMissing(where: string, settings: NodeSettings | undefined): readonly string[] {
  if (settings === undefined || settings.maxLocks >= FEWEST_LOCKS) return []
  return [
    `max_locks_per_transaction of ${where} is ${settings.maxLocks}: set it to ${FEWEST_LOCKS} and start PostgreSQL there again.`,
  ]
}

function roomMissing({ workers, tables }: CitusState): readonly string[] {
  const each = bytesToMove(tables) / Math.max(1, workers.length)
  return workers.flatMap(({ name, settings }) =>
    settings === undefined || settings.freeBytes >= each * SPARE_FACTOR
      ? []
      : [
          `The disk of the worker ${name} has ${formatBytes(settings.freeBytes)} left; ` +
            `${formatBytes(each * SPARE_FACTOR)} may be needed.`,
        ],
  )
}

const isLeft = ({ isDistributed, hasLocalRows }: TableState) => !isDistributed || hasLocalRows

const bytesToMove = (tables: readonly TableState[]) =>
  tables.filter(({ isDistributed }) => !isDistributed).reduce((sum, { localBytes }) => sum + localBytes, 0)

/** Says what distributing would do. */
export function whatWouldBeDone(state: CitusState, shards: number): readonly string[] {
  const left = state.tables.filter(isLeft)
  if (left.length === 0) return [`All ${state.tables.length} tables are distributed. Nothing is left to do.`]
  const workers = state.workers.map(({ name }) => name).join(', ')
  return [
    `${left.length} of ${state.tables.length} tables would go to ${state.workers.length} workers (${workers}), in ${shards} shards each:`,
    ...left.map((table) => `  ${tableLine(table)}`),
    `Together ${formatBytes(bytesToMove(left))}. Whoever writes to a table waits while its rows are copied, readers do not: ` +
      'reports stay with the devices meanwhile, and come when it is done.',
  ]
}

function tableLine({ name, partitions, localBytes, isDistributed }: TableState): string {
  if (isDistributed) return `${name}: distributed, its old rows are still on the coordinator`
  const parts = partitions === 0 ? '' : `, ${formatNumber(partitions)} partitions`
  return `${name}: ${formatBytes(localBytes)}${parts}`
}

/** Says in one sentence where the tables of this database are. */
export function placeOfTables({ version, workers, tables }: CitusState): string {
  const distributed = tables.filter((table) => table.isDistributed).length
  const which = distributed === tables.length ? '' : ` (${distributed} of ${tables.length} tables so far)`
  const missing = workers.filter(({ ownerTrouble }) => ownerTrouble !== undefined)
  const reach =
    missing.length === 0
      ? 'and all of them answer'
      : `and ${missing.map(({ name }) => name).join(', ')} cannot be reached`
  const count = workers.length === 1 ? '1 worker' : `${workers.length} workers`
  return `Readings are distributed over ${count} by Citus ${version}${which}, ${reach}.`
}
