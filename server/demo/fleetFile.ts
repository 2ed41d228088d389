import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FleetDevice, type FleetFile, fleet } from '#contract/fleet.ts'

/** Devices of the fleet file by guid; none when it is lost or unreadable, because new keys can always be issued. */
export async function readFleetDevices(path: string): Promise<ReadonlyMap<string, FleetDevice>> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  try {
    return new Map(fleet.parse(JSON.parse(text)).devices.map((device) => [device.guid, device]))
  } catch {
    return new Map()
  }
}

/** Whole or not at all, and for its owner's eyes only: it holds the key of every device. */
export async function writeFleetFile(path: string, content: FleetFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.new`
  await writeFile(unfinished, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}
