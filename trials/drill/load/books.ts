import type pg from 'pg'
import { MINUTE_MS } from '#domain/units/time.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import type { FleetDevice } from './FleetDevice.ts'
import type { Operators } from './Operators.ts'

const SETTLED_WITHIN_MS = 2 * MINUTE_MS

/** Compares what devices and operators know with what the database holds. */
export interface BookTally {
  readonly reports: number
  readonly commands: number
  readonly executed: number
  readonly writes: number
  /** Everything from here on has to be 0. */
  readonly lostReports: number
  readonly doubledReports: number
  readonly inventedReports: number
  readonly unacknowledgedReports: number
  readonly doubledCommands: number
  readonly lateCommands: number
  readonly openCommands: number
  /** Counts commands with `done` or a 200 of which the device knows nothing. */
  readonly inventedCommands: number
  readonly lostWrites: number
  readonly doubledWrites: number
  /** Counts rows without their one audit row, and audit rows without a row. */
  readonly writesUnlikeAudit: number
}

export const NEVER = [
  'lostReports',
  'doubledReports',
  'inventedReports',
  'unacknowledgedReports',
  'doubledCommands',
  'lateCommands',
  'openCommands',
  'inventedCommands',
  'lostWrites',
  'doubledWrites',
  'writesUnlikeAudit',
] as const satisfies readonly (keyof BookTally)[]

/** Waits after the last fault, with the servers running, until nothing is under way, and compares. */
export async function closeBooks(
  owner: pg.Pool,
  devices: readonly FleetDevice[],
  operators: Operators,
): Promise<BookTally> {
  await operators.stop()
  const settled = await Promise.all(devices.map((device) => device.settle()))
  const tally = {
    ...(await compareReports(owner, devices)),
    unacknowledgedReports: settled.filter((isSettled) => !isSettled).length,
    ...(await compareCommands(owner, devices, operators)),
    ...(await compareWrites(owner, operators)),
  }
  for (const device of devices) device.close()
  return tally
}

export async function compareReports(owner: pg.Pool, devices: readonly FleetDevice[]) {
  const tally = { reports: 0, lostReports: 0, doubledReports: 0, inventedReports: 0 }
  for (const { device, sent, acknowledged } of devices) {
    const { rows } = await owner.query<{ device_dt: Date; load: number }>(
      // On a slow machine the clock of a device that reports the past is rightly held to be wrong.
      'select coalesce(claimed_at, device_dt) as device_dt, load from readings_of_ups where device_id = $1',
      [device.id],
    )
    const stored = new Map(rows.map((row) => [row.device_dt.getTime(), row.load]))
    tally.reports += acknowledged.size
    tally.doubledReports += rows.length - stored.size
    for (const at of acknowledged) {
      if (stored.get(at) === sent.get(at)) continue
      tally.lostReports++
      console.log(
        `  lost: ${new Date(at).toISOString()} ${sent.get(at)} of device ${device.id}; stored ${stored.get(at)}`,
      )
    }
    await tellRejected(owner, device.id)
    for (const at of stored.keys()) if (!sent.has(at)) tally.inventedReports++
  }
  return tally
}

/** An honest device is never refused; a refusal is printed with its reason. */
async function tellRejected(owner: pg.Pool, deviceId: number): Promise<void> {
  const { rows } = await owner.query<{ reason: string; detail: string }>(
    'select reason, detail from rejected_report where device_id = $1',
    [deviceId],
  )
  for (const { reason, detail } of rows) console.log(`  rejected: ${reason} ${detail} of device ${deviceId}`)
}

async function compareCommands(owner: pg.Pool, devices: readonly FleetDevice[], { commanded }: Operators) {
  const rows = async () =>
    (
      await owner.query<{ id: string; state: string; device_id: number }>(
        'select id, state, device_id from device_command where device_id = any($1)',
        [devices.map(({ device }) => device.id)],
      )
    ).rows
  const isOpen = ({ state }: { readonly state: string }) => state === 'accepted' || state === 'sent'
  // A command ends by its reply, or when its time is over.
  const all = await eventually(rows, (some) => !some.some(isOpen), SETTLED_WITHIN_MS)
  const executions = devices.flatMap(({ executed }) => executed)
  const executedIds = new Set(executions.map(({ id }) => id))
  // A command that is repeated within seconds is executed once, and answered twice.
  const executing = new Set(devices.filter(({ executed }) => executed.length > 0).map(({ device }) => device.id))
  const unknownAnswers = commanded.filter((id) => !executing.has(id)).length
  return {
    commands: all.length,
    executed: executions.length,
    doubledCommands: executions.length - executedIds.size,
    lateCommands: executions.filter(({ isLate }) => isLate).length,
    openCommands: all.filter(isOpen).length,
    inventedCommands: unknownAnswers + all.filter(({ id, state }) => state === 'done' && !executedIds.has(id)).length,
  }
}

async function compareWrites(owner: pg.Pool, { written }: Operators) {
  const { rows } = await owner.query<{ text: string; times: number }>(
    'select action_comment as text, count(*)::int as times from maintenance_entry group by 1',
  )
  const times = new Map(rows.map((row) => [row.text, row.times]))
  const audited = await owner.query<{ times: number }>(
    `select count(*)::int as times from audit_log
     where call = 'DeviceMaintenance/SetDeviceMaintenance' and outcome = 'done'`,
  )
  const stored = rows.reduce((sum, row) => sum + row.times, 0)
  return {
    writes: written.acknowledged.size,
    lostWrites: [...written.acknowledged].filter((text) => !times.has(text)).length,
    doubledWrites: rows.filter((row) => row.times > 1).length,
    writesUnlikeAudit: Math.abs(stored - (audited.rows[0]?.times ?? 0)),
  }
}
