import pg from 'pg'
import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import type { Receipt } from '#server/telemetry/ingress/submission.ts'
import { awayWorkerSql, WORKER_IS_BACK_SQL } from '#server/testing/database/awayWorker.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { WritePath } from './WritePath.ts'

const AWAY = 1 as DeviceId
const OTHER = 2 as DeviceId

// Citus has these tables itself, and the drill stops its workers.
test.skipIf(CITUS_FOLDER !== undefined)(
  'while a worker is away the devices that it keeps are left out, and all others are stored',
  async () => {
    const database = await freshDatabase()
    const owner = new pg.Client(database.ownerUrl)
    await owner.connect()
    await owner.query(awayWorkerSql({ away: AWAY, other: OTHER, table: 'state_mark' }))
    const pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
    const said: string[] = []
    const path = new WritePath({
      ...{ pool, lanes: 1, retentionDays: 90, awayAfterMs: 100 },
      onStored: () => undefined,
      log: (sentence) => said.push(sentence),
    })
    const stored: DeviceId[] = []
    const submit = (deviceId: DeviceId): Receipt => {
      const receipt: Receipt = { stored: () => void stored.push(deviceId), hasHeld: false }
      const nowMs = Date.now()
      const door = { deviceId, topic: 'events/ups', nowMs, oldestMs: nowMs - DAY_MS }
      const payload = Buffer.from(JSON.stringify({ at: new Date(nowMs).toISOString(), values: { load: 5 } }))
      const checked = checkReports(door, layoutByTypeId(5) as EventLayout, 1, payload)
      path.submit({ deviceId, ...checked, messages: [], bytes: 9, packetToken: 1, arrivedAtMs: nowMs, receipt })
      return receipt
    }

    const held = submit(AWAY)
    submit(OTHER)
    await eventually(async () => stored.length, Boolean)
    const later = submit(AWAY)
    submit(OTHER)
    await eventually(
      async () => stored.length,
      (count) => count === 2,
    )
    expect(stored).toEqual([OTHER, OTHER])
    expect([held.hasHeld, later.hasHeld, path.isHolding, path.trouble]).toEqual([true, true, true, undefined])
    expect(said).toContain('A worker of the database is away; its devices keep their reports until it is back.')
    await path.mergeState()

    await owner.query(WORKER_IS_BACK_SQL)
    await eventually(
      async () => path.isHolding,
      (isHolding) => !isHolding,
    )
    submit(AWAY)
    await eventually(
      async () => stored.at(-1),
      (last) => last === AWAY,
    )
    await path.stop(1000)
    await pool.end()
    await owner.end()
    await database.drop()
  },
)
