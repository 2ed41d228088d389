import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FleetDevice, type FleetFile, fleet } from '#contract/fleet.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { devicesOfRouter, isLasting, lastingBeganMs } from './demoDevices.ts'

/** Reads devices by guid; none when the file is lost or unreadable, because new keys can always be issued. */
export async function readFleetDevices(path: string): Promise<ReadonlyMap<string, FleetDevice>> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  try {
    return new Map(fleet.parse(JSON.parse(text)).devices.map((device) => [device.guid, device]))
  } catch {
    return new Map()
  }
}

/** Reads when the devices of one router lost their connection with it (server/demo/demoDevices.ts). */
export async function wentWithRouter(path: string): Promise<ReadonlyMap<DeviceGuid, number>> {
  const devices = await readFleetDevices(path)
  return new Map(
    devicesOfRouter().flatMap((guid) => {
      const gone = devices.get(guid)?.faults.find(isLasting)
      return gone ? [[guid, lastingBeganMs(gone, Date.now())] as const] : []
    }),
  )
}

/** Writes the file whole or not at all, and readable only for its owner: it holds the key of every device. */
export async function writeFleetFile(path: string, content: FleetFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.new`
  await writeFile(unfinished, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}
