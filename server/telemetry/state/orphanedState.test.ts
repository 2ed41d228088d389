import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import type { Statements } from '#server/db/statements.ts'
import { awayWorkerSql, WORKER_IS_BACK_SQL } from '#server/testing/database/awayWorker.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { KEPT_DAYS } from '#server/testing/database/keptDays.ts'
import { storeReports, telemetryFixture, UPS } from '#server/testing/devices/telemetryFixture.ts'
import { WritePath } from '../write/WritePath.ts'
import { orphanedStateJob } from './orphanedState.ts'
import { foldUnmerged, type MarkRow } from './unmerged.ts'

// Citus has the tables of the worker itself, and the drill stops its workers.
test.skipIf(CITUS_FOLDER !== undefined)(
  'what a lost connection left of devices whose worker is away waits, and that of others is merged',
  async () => {
    const fixture = await telemetryFixture()
    const { owner } = fixture
    const [away, other] = [fixture.newDevice(), fixture.newDevice()]
    await owner.query(awayWorkerSql({ away, other, table: 'device_state' }))
    const pool = openPool(fixture.database.applicationUrl, { maximumConnections: 2, name: 'test' })
    const silent = { onStored: () => undefined, log: () => undefined }
    const path = new WritePath({ pool, lanes: 1, retentionDays: KEPT_DAYS, ...silent })
    for (const deviceId of [away, other])
      await storeReports(path, UPS, deviceId, [{ atMs: Date.now(), values: { load: 5 } }])
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'wayside test'`,
    )
    const merge = () => orphanedStateJob.run(owner, new Date(), new AbortController().signal)
    const devicesIn = async (table: string) =>
      (await owner.query<{ id: DeviceId }>(`select distinct device_id as id from ${table} order by 1`)).rows.map(
        ({ id }) => id,
      )
    const sessions = async () => (await owner.query('select from state_session')).rowCount

    await expect.poll(async () => merge().then(() => devicesIn('device_state')), { timeout: 20_000 }).toEqual([other])
    expect([await devicesIn('state_mark'), await sessions()]).toEqual([[away], 1])
    await owner.query(WORKER_IS_BACK_SQL)
    await merge()
    expect([await devicesIn('device_state'), await devicesIn('state_mark'), await sessions()]).toEqual([
      [away, other],
      [],
      0,
    ])
    await pool.end()
    await fixture.close()
  },
)

// Only a database with workers shows what a statement without the names costs: it fails while any worker is away.
test('a fold names its devices, so that only workers are asked that have some of them', async () => {
  const fixture = await telemetryFixture()
  const said: string[] = []
  const statements: Statements = {
    query: (text: string, values?: unknown[]) => {
      said.push(text)
      return fixture.owner.query(text, values)
    },
  }
  const mark = (deviceId: number): MarkRow => ({
    ...{ device_id: deviceId as DeviceId, event_type_id: UPS.type.id, number: 1, from_at: new Date(), fields: [0] },
  })
  await foldUnmerged(statements, [mark(7), mark(9)])
  expect(said.at(-1)).toContain('t.device_id in (7,9)')
  await fixture.close()
})
