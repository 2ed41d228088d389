import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type APIRequestContext, expect } from '@playwright/test'
import pg from 'pg'
import type { FleetFile } from '../../contract/fleet.ts'
import { standardComponents } from '../../domain/components/standardComponents.ts'
import { DEVICE_STATUS } from '../../domain/devices/status.ts'
import type { OffTimes } from '../../domain/displays/offTimes.ts'
import { writeFleetFile } from '../../server/demo/fleetFile.ts'
import { addDevice, asAdmin } from './device.ts'
import type { RunningSystem } from './system.ts'

const SIMULATOR = fileURLToPath(new URL('../../device/simulator/main.ts', import.meta.url))

interface Pretended {
  readonly name: string
  readonly modelId: number
  readonly faults: NonNullable<FleetFile['devices'][number]['faults']>
  readonly offTimes?: OffTimes
  /** It reports this much of its past. */
  readonly pastDays?: number
}

export interface PretendDevice {
  readonly id: number
  readonly guid: string
  stop(): Promise<void>
}

/** Starts a device like the demo's: the agent on simulated hardware, beside the system. */
export async function startPretendDevice(
  system: RunningSystem,
  request: APIRequestContext,
  { name, modelId, faults, offTimes, pastDays = 0 }: Pretended,
): Promise<PretendDevice> {
  const { device, configuration } = await addDevice(system, request, name, modelId)
  await pair(system, request, device.id)
  if (offTimes) await hasAlwaysHad(system, device.id, offTimes)
  const { guid, key, mqttUrl, httpUrl } = configuration
  const folder = await mkdtemp(join(system.dataFolder, 'pretend-'))
  const fleetFile = join(folder, 'fleet.json')
  const fitted = {
    ...{ guid, key, name, modelId: device.modelId, timeZone: device.timeZone, seed: 1, latitude: 50, longitude: 14 },
    components: standardComponents(device.modelId).map(({ componentModelId, number, label }) => ({
      componentModelId,
      number,
      label,
    })),
  }
  const devices = [{ ...fitted, faults, offTimes: offTimes ?? null }]
  await writeFleetFile(fleetFile, { mqttUrl, httpUrl, historyDays: pastDays, devices })
  // Its standard input closes when this process is gone, however that happened.
  const child = spawn(process.execPath, [SIMULATOR, '--fleet', fleetFile], { stdio: ['pipe', 'ignore', 'inherit'] })
  return {
    id: device.id,
    guid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** A pending device is counted nowhere. */
async function pair(system: RunningSystem, request: APIRequestContext, id: number): Promise<void> {
  const headers = await asAdmin(system)
  const paired = await request.post(`${system.httpUrl}/api/Device/SetDeviceStatus`, {
    headers,
    data: { id, statusId: DEVICE_STATUS.active },
  })
  expect(paired.status()).toBe(200)
}

/** The database is changed directly, because off times set by a call do not apply to yesterday. */
async function hasAlwaysHad({ ownerUrl }: RunningSystem, deviceId: number, offTimes: OffTimes): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`insert into off_times_history (device_id, valid_from, off_times) values ($1, '-infinity', $2)`, [
    deviceId,
    JSON.stringify(offTimes),
  ])
  await owner.end()
}
