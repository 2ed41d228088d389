import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FleetDevice, type FleetFile, fleet } from '#contract/fleet.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { isLasting, lastingBeganMs } from './demoDevices.ts'

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

/** Reads when devices lost their connection that were offline before the demo began. */
export async function wentOffline(path: string): Promise<ReadonlyMap<DeviceGuid, number>> {
  const went = new Map<DeviceGuid, number>()
  for (const { guid, faults } of (await readFleetDevices(path)).values()) {
    const gone = faults.find((fault) => fault.kind === 'offline' && isLasting(fault))
    if (gone) went.set(guid as DeviceGuid, lastingBeganMs(gone, Date.now()))
  }
  return went
}

/** Writes the file whole or not at all, and readable only for its owner: it holds the key of every device. */
export async function writeFleetFile(path: string, content: FleetFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.new`
  await writeFile(unfinished, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}
