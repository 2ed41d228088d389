import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { byScope, type Watcher, type Watchers } from './watchers.ts'

export interface AlertPublisherDeps {
  readonly watchers: Watchers
  readonly others: {
    isWatchedElsewhere(deviceId: DeviceId): boolean
    tellAlerts(deviceIds: readonly DeviceId[]): Promise<void>
  }
  readAlerts(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly AlertsEvent[]>
  readonly log: { error(details: object, message: string): void }
}

export interface AlertPublisher {
  /** Notes a change in this process. Other processes that watch the device are notified too. */
  note(deviceId: DeviceId): void
  noteHere(deviceIds: readonly DeviceId[]): void
  /** Sends what changed just before a console began to watch. */
  greet(watcher: Watcher): void
  /** Publishes changes from just before it was known here that consoles elsewhere watch these devices. */
  tellLate(deviceIds: readonly DeviceId[]): void
}

/** Every process knows within this time what another one watches. */
const KNOWN_ELSEWHERE_WITHIN_MS = 10_000

/** The first change is sent at once. Those that arrive while it is being sent follow together. */
export function createAlertPublisher({ watchers, others, readAlerts, log }: AlertPublisherDeps): AlertPublisher {
  let here = new Set<DeviceId>()
  let elsewhere = new Set<DeviceId>()
  let isTelling = false
  /** When the alerts of devices last changed that no other process was known to watch. */
  const untold = new Map<DeviceId, number>()

  const isUntold = (deviceId: DeviceId) => {
    const changedAt = untold.get(deviceId)
    return changedAt !== undefined && performance.now() - changedAt < KNOWN_ELSEWHERE_WITHIN_MS
  }

  function remember(deviceId: DeviceId) {
    // The oldest entry is the first, because one that changes again moves to the end.
    untold.delete(deviceId)
    untold.set(deviceId, performance.now())
    for (const oldest of untold.keys()) {
      if (isUntold(oldest)) break
      untold.delete(oldest)
    }
  }

  async function tellAll() {
    isTelling = true
    while (here.size + elsewhere.size > 0) {
      const [forWatchers, forOthers] = [here, elsewhere]
      here = new Set()
      elsewhere = new Set()
      const told = await Promise.allSettled([tellWatchers(forWatchers), tellOthers([...forOthers])])
      for (const { reason } of told.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
        log.error({ error: String(reason) }, 'live: alerts')
      }
    }
    isTelling = false
  }

  async function tellOthers(deviceIds: readonly DeviceId[]) {
    if (deviceIds.length > 0) await others.tellAlerts(deviceIds)
  }

  async function tellWatchers(deviceIds: ReadonlySet<DeviceId>) {
    const watching = new Set([...deviceIds].flatMap((deviceId) => [...watchers.of(deviceId)]))
    await Promise.all(byScope(watching).map((some) => tellOneScope(some, deviceIds)))
  }

  async function tellOneScope(some: readonly Watcher[], deviceIds: ReadonlySet<DeviceId>) {
    const [first] = some
    if (first === undefined) return
    const wanted = [...deviceIds].filter((deviceId) => some.some((watcher) => watches(watcher, deviceId)))
    for (const event of await readAlerts(first.scope, wanted)) {
      for (const watcher of some) if (watches(watcher, event.deviceId)) watcher.stream.send('alerts', event)
    }
  }

  async function greet(watcher: Watcher) {
    const watched = [...new Set([...watcher.deviceIds, ...watcher.stateDeviceIds])]
    for (const event of await readAlerts(watcher.scope, watched)) {
      if (event.alerts.length > 0) watcher.stream.send('alerts', event)
    }
  }

  const begin = () => {
    if (!isTelling && here.size + elsewhere.size > 0) void tellAll()
  }
  return {
    note(deviceId) {
      if (watchers.isWatched(deviceId)) here.add(deviceId)
      if (others.isWatchedElsewhere(deviceId)) elsewhere.add(deviceId)
      else remember(deviceId)
      // Devices of one commit are noted one after the other, and then read together.
      queueMicrotask(begin)
    },
    noteHere(deviceIds) {
      for (const deviceId of deviceIds) if (watchers.isWatched(deviceId)) here.add(deviceId)
      begin()
    },
    tellLate(deviceIds) {
      for (const deviceId of deviceIds.filter(isUntold)) elsewhere.add(deviceId)
      begin()
    },
    greet(watcher) {
      greet(watcher).catch((error: unknown) => log.error({ error: String(error) }, 'live: alerts'))
    },
  }
}

const watches = ({ deviceIds, stateDeviceIds }: Watcher, deviceId: DeviceId) =>
  deviceIds.has(deviceId) || stateDeviceIds.has(deviceId)
