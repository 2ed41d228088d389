import pg from 'pg'
import { tryLockUntilDisconnected } from '../db/advisoryLocks.ts'
import { readCitusState } from '../db/distribute/citusState.ts'
import { distribute, undistribute } from '../db/distribute/distribute.ts'
import { whatIsMissing, whatToKnow, whatWouldBeDone } from '../db/distribute/distributionReport.ts'
import { DISTRIBUTED_TABLES, LOOK_TABLE } from '../db/partitions/readingTables.ts'
import type { Config } from '../settings/config.ts'
import { openServersDatabase } from './openDatabase.ts'

export const DISTRIBUTE_USAGE = [
  '  npm run admin -- distribute [--dry-run] [--shards N]',
  '                                              (gives readings, messages and roll-ups to the workers of Citus)',
  '  npm run admin -- undistribute [--dry-run]   (takes them back to one machine)',
]

/** The shards of a device stay together, so this is also the number of workers that can share them. */
const DEFAULT_SHARDS = 16

interface DistributeRequest {
  readonly verb: 'distribute' | 'undistribute'
  readonly isDry: boolean
  readonly shards: number
}

/** @returns what to do; undefined for arguments that it does not understand */
export function readDistribute([verb, ...options]: readonly string[]): DistributeRequest | undefined {
  if (verb !== 'distribute' && verb !== 'undistribute') return undefined
  const isDry = options.includes('--dry-run')
  const rest = options.filter((option) => option !== '--dry-run')
  if (rest.length === 0) return { verb, isDry, shards: DEFAULT_SHARDS }
  const [flag, text, ...more] = rest
  if (verb === 'undistribute' || flag !== '--shards' || more.length > 0) return undefined
  return /^[1-9]\d{0,2}$/.test(text ?? '') ? { verb, isDry, shards: Number(text) } : undefined
}

/** @returns true when nothing is missing */
export async function distributeTables(
  config: Config,
  request: DistributeRequest,
  say: (line: string) => void,
): Promise<boolean> {
  if (config.databaseUrl === undefined) {
    throw new Error(
      'The database that Wayside brings along has no Citus: set DATABASE_URL (docs/guide/run/more-than-one-machine.md).',
    )
  }
  const { ownerUrl, close } = await openServersDatabase(config, { asOwner: true })
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'wayside distribute' })
  // The next statement fails when the connection breaks.
  owner.on('error', () => undefined)
  try {
    await owner.connect()
    const made = await owner.query('select from pg_class where oid = to_regclass($1)', [LOOK_TABLE])
    if (made.rowCount === 0) throw new Error('The database has no tables yet: start Wayside once, which makes them.')
    return await (request.verb === 'distribute' ? give(owner, request, say) : takeBack(owner, request, say))
  } finally {
    await owner.end()
    await close()
  }
}

async function give(
  owner: pg.Client,
  { isDry, shards }: DistributeRequest,
  say: (line: string) => void,
): Promise<boolean> {
  const state = await readCitusState(owner, DISTRIBUTED_TABLES)
  const missing = whatIsMissing(state)
  if (missing.length > 0) {
    say(['What is missing:', ...missing.map((text) => `  ${text}`)].join('\n'))
    return false
  }
  say([...whatWouldBeDone(state, shards), ...whatToKnow(state)].join('\n'))
  if (isDry) return true
  await alone(owner)
  await distribute(owner, { tables: DISTRIBUTED_TABLES, shards, say })
  say('All tables are distributed.')
  return true
}

async function takeBack(owner: pg.Client, { isDry }: DistributeRequest, say: (line: string) => void): Promise<boolean> {
  const { tables } = await readCitusState(owner, DISTRIBUTED_TABLES)
  const names = tables.filter(({ isDistributed }) => isDistributed).map(({ name }) => name)
  if (names.length === 0) say('No table is distributed.')
  else if (isDry) say(`These would come back to the coordinator: ${names.join(', ')}.`)
  if (isDry || names.length === 0) return true
  await alone(owner)
  await undistribute(owner, { tables: DISTRIBUTED_TABLES, say })
  return true
}

/** No server of another version migrates meanwhile, and nobody else distributes. */
async function alone(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ is: boolean }>(`select ${tryLockUntilDisconnected('migration')} as is`)
  if (rows[0]?.is !== true) throw new Error('A server is starting, or somebody distributes already: try again.')
}
