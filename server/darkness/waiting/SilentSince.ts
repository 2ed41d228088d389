import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { newestPresence } from '#server/fleet/newestPresence.ts'
import { offlineDevices, type WaitingDevice } from './waitingRows.ts'

/** Caches since when devices are silent, because most of them were silent at the last check too. */
export class SilentSince {
  #since = new Map<DeviceId, Date | null>()
  #devices: readonly WaitingDevice[] = []

  /** Finds the silent devices, except those last recorded as online by a process that just died. */
  async look(owner: pg.Client): Promise<readonly WaitingDevice[]> {
    const offline = await offlineDevices(owner)
    const known = this.#since
    const unknown = offline.filter(({ id }) => !known.has(id)).map(({ id }) => id)
    this.#since = new Map(offline.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id) ?? null] as const] : [])))
    await this.#read(owner, unknown)
    this.#devices = offline.flatMap((device) => {
      const since = this.#since.get(device.id)
      return since === undefined ? [] : [{ ...device, since }]
    })
    return this.#devices
  }

  /** Reads the beginning again for these devices, as it is known at this moment. */
  async exactly(owner: pg.Client, deviceIds: ReadonlySet<DeviceId>): Promise<readonly WaitingDevice[]> {
    await this.#read(owner, [...deviceIds])
    return this.#devices.flatMap((device) => {
      const since = deviceIds.has(device.id) ? this.#since.get(device.id) : undefined
      return since === undefined ? [] : [{ ...device, since }]
    })
  }

  async #read(owner: pg.Client, deviceIds: readonly DeviceId[]) {
    if (deviceIds.length === 0) return
    const presence = await newestPresence(owner, deviceIds)
    for (const id of deviceIds) {
      const newest = presence.get(id)
      if (newest?.isOnline) this.#since.delete(id)
      // Null means that it was never online.
      else this.#since.set(id, newest?.since ?? null)
    }
  }
}
