import { sql } from 'kysely'
import type {
  ClientUpdate,
  ClientUpdateDetails,
  UpdateCounts,
  UpdatedDevice,
} from '#contract/http/software/rollouts.ts'
import { DEVICE_UPDATE_STATES, type DeviceUpdateState, type RolloutState } from '#domain/rollouts/states.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { PageRequest } from '#server/http/reading/pages.ts'
import { IS_OBSERVED } from '#server/rollouts/observedUpdates.ts'

export interface DeviceKey {
  readonly wave: number
  /** The name in lower case, as it is sorted. */
  readonly name: string
  readonly id: number
}

export interface DevicesRequest {
  readonly rolloutId: number
  readonly state?: DeviceUpdateState | undefined
  readonly wave?: number | undefined
}

interface RolloutRow {
  readonly id: number
  readonly version: string
  readonly state: RolloutState
  readonly stateReason: string
  readonly isDowngrade: boolean
  readonly haltFailurePercent: number | null
  readonly waitMinutes: number
  readonly observeMinutes: number
  readonly waveCount: number
  readonly begunWave: number
  readonly wavesBegunAt: Date[]
  readonly settledAt: Date | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly endedAt: Date | null
}

interface CountRow {
  readonly rolloutId: number
  readonly wave: number
  readonly state: DeviceUpdateState
  readonly devices: number
  readonly offline: number
  readonly observed: number
}

const ROLLOUTS = sql`
  select o.id, r.version, o.state, o.state_reason as "stateReason", o.is_downgrade as "isDowngrade",
    o.halt_failure_percent as "haltFailurePercent", o.wait_minutes as "waitMinutes", o.observe_minutes as "observeMinutes", o.wave_count as "waveCount",
    o.begun_wave as "begunWave", o.waves_begun_at as "wavesBegunAt", o.settled_at as "settledAt",
    o.created_at as "createdAt", o.created_by_name as "createdBy", o.ended_at as "endedAt"
  from client_rollout o join client_release r on r.id = o.release_id`

const NO_DEVICES = {
  ...Object.fromEntries(DEVICE_UPDATE_STATES.map((state) => [state, 0])),
  observed: 0,
} as UpdateCounts

// Rollouts concern the whole installation, so only staff may read their progress.

export async function listRollouts(
  db: Db,
  { after, skip, size }: PageRequest<{ readonly id: number }>,
): Promise<readonly ClientUpdate[]> {
  const { rows } = await sql<RolloutRow>`${ROLLOUTS}
    where ${after?.id ?? null}::int is null or o.id < ${after?.id ?? null}::int
    order by o.id desc offset ${skip} limit ${size}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const counts = Map.groupBy(await countsOf(db, ids), ({ rolloutId }) => rolloutId)
  return rows.map((row) => toUpdate(row, counts.get(row.id) ?? []))
}

export async function findRollout(db: Db | Tx, id: number): Promise<ClientUpdateDetails | undefined> {
  const [row] = (await sql<RolloutRow>`${ROLLOUTS} where o.id = ${id}`.execute(db)).rows
  if (row === undefined) return undefined
  const counts = await countsOf(db, [id])
  const numbers = Array.from({ length: row.waveCount }, (_, index) => index + 1)
  return { ...toUpdate(row, counts), waves: numbers.map((number) => toWave(row, number, counts)) }
}

async function countsOf(db: Db | Tx, ids: readonly number[]): Promise<readonly CountRow[]> {
  const { rows } = await sql<CountRow>`
    select u.rollout_id as "rolloutId", u.wave, u.state, count(*)::int as devices,
      count(*) filter (where u.is_open and online.device_id is null)::int as offline,
      count(*) filter (where ${sql.raw(IS_OBSERVED)})::int as observed
    from client_update u join client_rollout o on o.id = u.rollout_id
      left join device_online online on online.device_id = u.device_id
    where u.rollout_id = any(${[...ids]}::int[]) group by 1, 2, 3`.execute(db)
  return rows
}

/** Runs all reads on one snapshot, so that they do not contradict each other. */
export const onOneSnapshot = <Result>(db: Db, read: (transaction: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(transaction)
    return read(transaction)
  })

export async function updatedDevicesPage(
  transaction: Tx,
  { rolloutId, state, wave }: DevicesRequest,
  { after, skip, size }: PageRequest<DeviceKey>,
): Promise<readonly { readonly device: UpdatedDevice; readonly key: DeviceKey }[]> {
  const conditions = [
    sql`u.rollout_id = ${rolloutId}`,
    ...(state === undefined ? [] : [sql`u.state = ${state}`]),
    ...(wave === undefined ? [] : [sql`u.wave = ${wave}`]),
    ...(after === undefined
      ? []
      : [sql`(u.wave, d.name_order, d.id) > (${after.wave}::int, ${after.name}::text, ${after.id}::int)`]),
  ]
  const { rows } = await sql<UpdatedRow>`
    select d.id as "deviceId", d.guid as "deviceGuid", d.name as "deviceName", online.device_id is not null as "isOnline",
      u.wave, u.state, u.reason, u.received_bytes::float8 as "receivedBytes", r.bytes,
      u.from_version as "fromVersion", u.tries, u.offered_at as "offeredAt", u.changed_at as "changedAt",
      case when ${sql.raw(IS_OBSERVED)} then u.running_since + make_interval(mins => o.observe_minutes) end
        as "observedUntil",
      d.name_order as "sortName"
    from client_update u join device d on d.id = u.device_id and d.deleted_at is null
      join client_rollout o on o.id = u.rollout_id join client_release r on r.id = o.release_id
      left join device_online online on online.device_id = d.id
    where ${sql.join(conditions, sql` and `)} order by u.wave, d.name_order, d.id
    offset ${skip} limit ${size}`.execute(transaction)
  return rows.map(({ sortName, offeredAt, changedAt, observedUntil, ...row }) => ({
    device: {
      ...row,
      offeredAt: offeredAt?.toISOString() ?? null,
      changedAt: changedAt.toISOString(),
      observedUntil: observedUntil?.toISOString() ?? null,
    },
    key: { wave: row.wave, name: sortName, id: row.deviceId },
  }))
}

type UpdatedRow = Omit<UpdatedDevice, 'offeredAt' | 'changedAt' | 'observedUntil'> & {
  readonly offeredAt: Date | null
  readonly observedUntil: Date | null
  readonly changedAt: Date
  readonly sortName: string
}

const total = (counts: readonly CountRow[], of: 'devices' | 'offline') => counts.reduce((sum, row) => sum + row[of], 0)

function byState(counts: readonly CountRow[]): UpdateCounts {
  const sums = { ...NO_DEVICES }
  for (const { state, devices, observed } of counts) {
    sums[state] += devices
    sums.observed += observed
  }
  return sums
}

function toUpdate({ wavesBegunAt: _, settledAt, ...row }: RolloutRow, counts: readonly CountRow[]): ClientUpdate {
  const isWaiting = row.state === 'running' && settledAt !== null && row.begunWave < row.waveCount
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    deviceCount: total(counts, 'devices'),
    nextWaveAt: isWaiting ? new Date(settledAt.getTime() + row.waitMinutes * 60_000).toISOString() : null,
    counts: byState(counts),
  }
}

function toWave({ wavesBegunAt }: RolloutRow, number: number, counts: readonly CountRow[]) {
  const ofWave = counts.filter(({ wave }) => wave === number)
  return {
    number,
    deviceCount: total(ofWave, 'devices'),
    begunAt: wavesBegunAt[number - 1]?.toISOString() ?? null,
    offlineCount: total(ofWave, 'offline'),
    counts: byState(ofWave),
  }
}
