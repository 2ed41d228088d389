import type pg from 'pg'
import { foldReading, UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import type { AlertId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { VERDICTS_JOB } from '#server/darkness/now/VerdictPublisher.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { INCIDENTS_JOB } from '#server/incidents/incidentJob.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { pause } from '#server/jobs/pause.ts'
import type { AlertRules } from '#server/telemetry/alerts/alertRules.ts'
import type { PlacedDevice } from '#server/telemetry/alerts/conditionPlaces.ts'
import { type AlertMove, moveSteps } from '#server/telemetry/alerts/evaluate/alertRows.ts'
import { wentOffline } from './fleetFile.ts'

const LOOK_EVERY_MS = 2 * SECOND_MS
/** After this time the server raises silence on its own, and the demo gets its incident later. */
const WAIT_AT_MOST_MS = 20 * MINUTE_MS
/** The server would have found an alert as fast. */
const FOUND_AFTER_MS = 2 * SECOND_MS

export interface PastOutage {
  readonly fleetFile: string
  readonly pastDays: number
  readonly readRules: () => Promise<AlertRules>
}

interface GoneDevice extends PlacedDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  /** Null when it was never connected. */
  readonly isOnline: boolean | null
  readonly since: Date | null
  readonly hasAlert: boolean
}

/**
 * Makes the outages that began before the demo. The server has seen these devices only for the seconds in which they
 * reported their past, and would count their silence from then on: so their presence becomes what it was, and the
 * alerts of silence are raised by the statements of the server. It does nothing where any of it was raised or written
 * before.
 *
 * @param owner as the owner of the tables, because nobody else writes past presence
 * @returns false while a device is still reporting its past
 */
export async function makePastOutage(owner: pg.Pool, { fleetFile, pastDays, readRules }: PastOutage): Promise<boolean> {
  const [wentMs, rules] = [await wentOffline(fleetFile), await readRules()]
  return inTransaction(owner, async (connection) => {
    const devices = await readGone(connection, [...wentMs.keys()])
    const went = (device: GoneDevice) => wentMs.get(device.guid) ?? 0
    const isWritten = (device: GoneDevice) => device.hasAlert || (device.since?.getTime() ?? Infinity) <= went(device)
    if (devices.length === 0 || devices.some(isWritten)) return true
    if (devices.some(({ isOnline }) => isOnline !== false)) return false
    const ids = devices.map(({ id }) => id)
    await connection.query('delete from device_presence_history where device_id = any($1::int[])', [ids])
    await connection.query(
      `insert into device_presence_history (device_id, at, is_online, reason)
       select id, $3, true, 'connected' from unnest($1::int[]) id
       union all select id, went, false, 'keep_alive_missed' from unnest($1::int[], $2::timestamptz[]) as gone (id, went)`,
      [ids, devices.map((device) => new Date(went(device))), new Date(Date.now() - pastDays * DAY_MS)],
    )
    const moves = devices.flatMap((device) => silenceOf(device, rules, went(device)))
    const { rows: taken } = await connection.query<{ id: AlertId }>(
      `select nextval('alert_id')::float8 as id from generate_series(1, $1::int)`,
      [moves.length],
    )
    const numbered = moves.map((move, index) => ({ ...move, openAlertId: taken[index]?.id }))
    if (numbered.length > 0) for (const { sql } of moveSteps(numbered)) await connection.query(sql)
    for (const job of [INCIDENTS_JOB, `${VERDICTS_JOB}:${ids}`]) await connection.query(ringSql(job))
    return true
  })
}

async function readGone(connection: pg.PoolClient, guids: readonly DeviceGuid[]): Promise<readonly GoneDevice[]> {
  const { rows } = await connection.query<GoneDevice>(
    `select d.id, d.guid, d.model_id as "modelId", d.customer_id as "customerId", d.tag_keys as "tagKeys",
       p.is_online as "isOnline", p.at as since, a.device_id is not null as "hasAlert"
     from device d
     left join (select distinct on (device_id) device_id, is_online, at from device_presence_history
       order by device_id, at desc) p on p.device_id = d.id
     left join (select distinct device_id from alert where kind = 'silent') a on a.device_id = d.id
     where d.guid = any($1::uuid[]) and d.deleted_at is null
     order by d.id`,
    [guids],
  )
  return rows
}

/** Returns what the conditions of silence raised on a device that has been gone since a moment. */
function silenceOf(device: GoneDevice, rules: AlertRules, wentMs: number): AlertMove[] {
  return rules.of(device).flatMap((rule): AlertMove[] => {
    const atMs = wentMs + rule.waitMs
    if (rule.kind !== 'silent' || atMs > Date.now()) return []
    const { state } = foldReading(UNTOUCHED, 0, atMs, true)
    const opened = { atMs, foundAtMs: atMs + FOUND_AFTER_MS, value: undefined, isLate: false, isMailed: false }
    return [
      {
        ...{ deviceId: device.id, rule, version: 1, state, openAlertId: undefined, opened },
        ...{ timesActive: 1, stateSinceMs: atMs, events: [{ kind: 'opened', at: new Date(atMs).toISOString() }] },
      },
    ]
  })
}

/** Tries beside everything else, until the devices of a new demo have reported their past. */
export async function keepPastOutage(owner: pg.Pool, outage: PastOutage, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  while (!signal.aborted && performance.now() - began < WAIT_AT_MOST_MS) {
    if (await makePastOutage(owner, outage)) return
    await pause(LOOK_EVERY_MS, signal)
  }
}
