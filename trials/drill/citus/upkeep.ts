import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { type Migration, readMigrations } from '#server/db/upgrade/migrationFiles.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { acknowledgedBy, type Stage } from './stage.ts'

const POINT = 'drill'
const ARCHIVED_WITHIN_MS = 60 * SECOND_MS
const ANSWERED_WITHIN_MS = 60 * SECOND_MS

/** What versions do to tables that are distributed, and to those that are not. */
const NEXT_SQL = `
  alter table reading_look add column tried_field integer;
  alter table rollup add column tried_sum real;
  alter table closed_day add column tried_words text;
  create index tried_messages on device_message (device_id, inserted);
  create view tried_looks as select device_id, device_dt, tried_field from reading_look;
  create table tried_state (device_id integer primary key references device, words text not null);
  comment on column reading_look.tried_field is 'What the drill has tried.'`

/** The next version's migration runs while servers of this one go on, as in any upgrade. */
export async function upgrade({ run, database, cluster, owner, devices }: Stage): Promise<void> {
  const known = await readMigrations()
  const newest = known.at(-1)
  if (newest === undefined) throw new Error('There is no migration.')
  const number = newest.number + 1
  const next: Migration = {
    ...newest,
    number,
    fileName: `${number}_tried.sql`,
    checksum: 'tried',
    sql: NEXT_SQL,
    needs: newest.number,
  }
  const before = acknowledgedBy(devices)
  const beganAt = performance.now()
  await migrate(database.ownerUrl, { migrations: [...known, next] })
  const seconds = (performance.now() - beganAt) / SECOND_MS
  const [missing] = await cluster.coordinator.ask<{ count: number }>(
    `select count(*)::integer as count from run_command_on_shards('reading_look', 'select tried_field from %s limit 1') where not success`,
  )
  const { rowCount } = await owner.query('select from tried_looks limit 1')
  await eventually(
    async () => acknowledgedBy(devices),
    (count) => count > before,
    ANSWERED_WITHIN_MS,
  )
  console.log(
    `upgrade: the next migration took ${seconds.toFixed(1)} s, ${acknowledgedBy(devices) - before} reports acknowledged meanwhile`,
  )
  if (missing?.count !== 0 || rowCount !== 1) run.wrong('upgrade: the workers do not have what the migration made')
  if (acknowledgedBy(devices) === before) run.wrong('upgrade: nothing was acknowledged any more')
}

/** What was acknowledged before the restore point, by device. */
type Marked = ReadonlyMap<FleetDevice, ReadonlySet<number>>

/** Copies every node while devices report, and then names one moment on all of them. */
export async function markPoint({ cluster, devices }: Stage): Promise<Marked> {
  const { coordinator, workers } = cluster
  const beganAt = performance.now()
  for (const node of [coordinator, ...workers]) node.copy()
  await sleep(SECOND_MS)
  const marked = new Map(devices.map((device) => [device, new Set(device.acknowledged)]))
  await coordinator.ask(`select citus_create_restore_point('${POINT}')`)
  for (const node of [coordinator, ...workers]) {
    const [ended] = await node.ask<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
    const kept = () => node.ask<{ name: string | null }>('select last_archived_wal as name from pg_stat_archiver')
    await eventually(kept, ([last]) => (last?.name ?? '') >= (ended?.name ?? ''), ARCHIVED_WITHIN_MS)
  }
  console.log(
    `backup: ${1 + workers.length} machines were copied in ${((performance.now() - beganAt) / SECOND_MS).toFixed(1)} s`,
  )
  return marked
}

/** All machines are lost, and come back with other addresses as they were at the restore point. */
export async function restoreAll({ run, cluster, server }: Stage, marked: Marked): Promise<void> {
  const beganAt = performance.now()
  const database = await cluster.restore(POINT)
  const sick = await cluster.coordinator.ask('select * from citus_check_cluster_node_health() where result is not true')
  await server.start(undefined, database)
  const seconds = (performance.now() - beganAt) / SECOND_MS
  const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial restored' })
  let [kept, lost, doubled] = [0, 0, 0]
  for (const [{ device }, acknowledged] of marked) {
    const { rows } = await owner.query<{ at: Date }>(
      'select coalesce(claimed_at, device_dt) as at from readings_of_ups where device_id = $1',
      [device.id],
    )
    const stored = new Set(rows.map(({ at }) => at.getTime()))
    kept += stored.size
    doubled += rows.length - stored.size
    for (const at of acknowledged) if (!stored.has(at)) lost++
  }
  await owner.end()
  const [first] = marked.keys()
  if (first === undefined) throw new Error('There is no device.')
  const again = new FleetDevice(first.device, server.mqttPort, () => run.chance(), { everyMs: SECOND_MS })
  await eventually(async () => again.acknowledged.size, Boolean, ANSWERED_WITHIN_MS)
  again.close()
  console.log(
    `restored: in ${seconds.toFixed(1)} s, ${kept} reports are there, ${lost} lost, ${doubled} doubled; a device got ${again.acknowledged.size} reports acknowledged`,
  )
  if (sick.length > 0) run.wrong(`restored: ${sick.length} machines do not reach each other`)
  if (lost + doubled > 0 || kept === 0) run.wrong(`restored: ${lost} reports lost, ${doubled} doubled`)
  if (again.acknowledged.size === 0) run.wrong('restored: nothing is acknowledged')
}
