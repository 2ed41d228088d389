import pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import { WritePath } from '#server/telemetry/write/WritePath.ts'
import { freshDatabase } from '../database/freshDatabase.ts'
import { KEPT_DAYS } from '../database/keptDays.ts'

/** The ingress refuses older reports; the database refuses younger ones whose day has no table. */
const OLDEST_DAYS = 40

export interface SentReport {
  readonly atMs: number
  readonly values: Record<string, unknown>
  readonly number?: number
}

/** Opens a database with the write path in front of it. */
export async function telemetryFixture(options: { readonly keptDays?: number } = {}) {
  const database = await freshDatabase(options)
  const pool = openPool(database.applicationUrl, { maximumConnections: 6, name: 'test' })
  const connectOwner = async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl, application_name: 'test owner' })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const owner = await connectOwner()
  let lastDevice = 0
  const paths: WritePath[] = []
  const keep = (path: WritePath) => {
    paths.push(path)
    return path
  }
  return {
    database,
    pool,
    owner,
    connectOwner,
    newDevice: () => ++lastDevice as DeviceId,
    writePath: (lanes = 2): WritePath =>
      keep(
        new WritePath({
          pool,
          lanes,
          retentionDays: options.keptDays ?? KEPT_DAYS,
          onStored: () => undefined,
          log: () => undefined,
        }),
      ),
    /** Merges everything stored into the current state, and marks its hours to be rolled up. */
    async mergeState() {
      for (const path of paths) await path.mergeState()
    },
    async close() {
      await pool.end()
      await owner.end()
      await database.drop()
    },
  }
}

export type TelemetryFixture = Awaited<ReturnType<typeof telemetryFixture>>

export const UPS = layoutByTypeId(5) as EventLayout
export const DISPLAY = layoutByTypeId(4) as EventLayout

/** Submits one packet for each report and waits for all receipts. */
export function storeReports(
  path: WritePath,
  layout: EventLayout,
  deviceId: DeviceId,
  sent: readonly SentReport[],
  nowMs = Date.now(),
): Promise<void> {
  let missing = sent.length
  return new Promise((resolve) => {
    if (missing === 0) resolve()
    for (const { atMs, values, number = 1 } of sent) {
      const door = { deviceId, topic: 'events', nowMs, oldestMs: nowMs - OLDEST_DAYS * DAY_MS }
      const payload = JSON.stringify({ at: new Date(atMs).toISOString(), values })
      path.submit({
        deviceId,
        ...checkReports(door, layout, number, Buffer.from(payload)),
        messages: [],
        bytes: 100,
        packetToken: 1,
        arrivedAtMs: performance.now(),
        receipt: {
          stored: () => {
            if (--missing === 0) resolve()
          },
        },
      })
    }
  })
}
