import pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { AlertWatch } from '#server/telemetry/alerts/refold/AlertWatch.ts'
import { WritePath } from '#server/telemetry/write/WritePath.ts'
import { passTime } from '#testing/passTime.ts'
import { KEPT_DAYS } from '../database/keptDays.ts'
import { eventually } from './gatewayFixture.ts'
import { telemetryFixture } from './telemetryFixture.ts'

export const LOAD_FIELD = 5104

export interface AlertProcess {
  readonly watch: AlertWatch
  readonly path: WritePath
}

interface ProcessDatabase {
  readonly pool: pg.Pool
  readonly database: { readonly applicationUrl: string }
}

/** Starts the telemetry of one server process, with its own view of the conditions. */
export async function startAlertProcess(fixture: ProcessDatabase): Promise<AlertProcess> {
  const log = (sentence: string, error: unknown) => console.error(sentence, error)
  const watch = await AlertWatch.start({
    pool: fixture.pool,
    connect: async () => {
      const client = new pg.Client({ connectionString: fixture.database.applicationUrl })
      await client.connect()
      return client
    },
    onAlerts: () => undefined,
    log,
  })
  const path = new WritePath({
    pool: fixture.pool,
    retentionDays: KEPT_DAYS,
    onStored: () => undefined,
    rules: watch.rules,
    onLateReadings: (devices) => watch.noteLate(devices),
    log,
  })
  watch.attach(path)
  return { watch, path }
}

/** Starts the telemetry of some server processes on one database. */
export async function alertProcesses(count: number) {
  const fixture = await telemetryFixture()
  await fixture.owner.query(`insert into customer (name) values ('Harbour')`)
  const started: AlertProcess[] = []
  for (let index = 0; index < count; index++) started.push(await startAlertProcess(fixture))
  return {
    fixture,
    paths: started.map(({ path }) => path),
    newDevice: async (): Promise<DeviceId> => {
      const { rows } = await fixture.owner.query<{ id: DeviceId }>(
        `insert into device (guid, name, status_id, model_id, customer_id, iot_device_id)
         values (gen_random_uuid(), 'Pier', 2, 1, (select id from customer limit 1), '') returning id`,
      )
      return rows[0]?.id as DeviceId
    },
    /** Adds a condition on UPS load that applies at once, without a notice. */
    newCondition: ({ deviceId, value, periodId = 1 }: { deviceId: DeviceId; value: number; periodId?: number }) =>
      fixture.pool.query(
        `insert into alert_condition (device_id, field_id, operator_code, value_dec, period_id)
         values ($1, $2, 'GT', $3, $4)`,
        [deviceId, LOAD_FIELD, value, periodId],
      ),
    /** Waits until no dirty range of late readings is left. */
    async allFolded() {
      await passTime(300, 'what was stored late is marked after its acknowledgement')
      const marks = async () => (await fixture.pool.query('select from alert_refold limit 1')).rowCount
      await eventually(marks, (count) => count === 0, 60_000)
    },
    async close() {
      for (const { watch, path } of started) {
        await path.stop(1000)
        await watch.stop()
      }
      await fixture.close()
    },
  }
}

export type AlertProcesses = Awaited<ReturnType<typeof alertProcesses>>
