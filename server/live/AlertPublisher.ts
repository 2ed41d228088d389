import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { OtherProcesses } from './OtherProcesses.store.ts'
import { byScope, type Watcher, type Watchers } from './Watchers.ts'

export interface AlertPublisherDeps {
  readonly watchers: Watchers
  readonly others: Pick<OtherProcesses, 'isWatchedElsewhere' | 'tellAlerts'>
  readAlerts(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly AlertsEvent[]>
  readonly log: { error(details: object, message: string): void }
}

/** Every process knows within this time what another one watches. */
const KNOWN_ELSEWHERE_WITHIN_MS = 10_000

/** The first change is sent at once. Those that arrive while it is being sent follow together. */
export class AlertPublisher {
  readonly #deps: AlertPublisherDeps
  #here = new Set<DeviceId>()
  #elsewhere = new Set<DeviceId>()
  #isTelling = false
  /** When the alerts of devices last changed that no other process was known to watch. */
  readonly #untold = new Map<DeviceId, number>()

  constructor(deps: AlertPublisherDeps) {
    this.#deps = deps
  }

  /** Notes a change in this process. Other processes that watch the device are notified too. */
  note(deviceId: DeviceId): void {
    const { watchers, others } = this.#deps
    if (watchers.isWatched(deviceId)) this.#here.add(deviceId)
    if (others.isWatchedElsewhere(deviceId)) this.#elsewhere.add(deviceId)
    else this.#remember(deviceId)
    // Devices of one commit are noted one after the other, and then read together.
    queueMicrotask(() => this.#begin())
  }

  noteHere(deviceIds: readonly DeviceId[]): void {
    for (const deviceId of deviceIds) if (this.#deps.watchers.isWatched(deviceId)) this.#here.add(deviceId)
    this.#begin()
  }

  /** Publishes changes from just before it was known here that consoles elsewhere watch these devices. */
  tellLate(deviceIds: readonly DeviceId[]): void {
    for (const deviceId of deviceIds) if (this.#isUntold(deviceId)) this.#elsewhere.add(deviceId)
    this.#begin()
  }

  /** Sends what changed just before a console began to watch. */
  greet(watcher: Watcher): void {
    this.#greet(watcher).catch((error: unknown) => this.#logFailure(error))
  }

  async #greet(watcher: Watcher): Promise<void> {
    const watched = [...new Set([...watcher.deviceIds, ...watcher.stateDeviceIds])]
    for (const event of await this.#deps.readAlerts(watcher.scope, watched)) {
      if (event.alerts.length > 0) watcher.stream.send('alerts', event)
    }
  }

  #isUntold(deviceId: DeviceId): boolean {
    const changedAt = this.#untold.get(deviceId)
    return changedAt !== undefined && performance.now() - changedAt < KNOWN_ELSEWHERE_WITHIN_MS
  }

  #remember(deviceId: DeviceId): void {
    // The oldest entry is the first, because one that changes again moves to the end.
    this.#untold.delete(deviceId)
    this.#untold.set(deviceId, performance.now())
    for (const oldest of this.#untold.keys()) {
      if (this.#isUntold(oldest)) break
      this.#untold.delete(oldest)
    }
  }

  #begin(): void {
    if (!this.#isTelling && this.#here.size + this.#elsewhere.size > 0) void this.#tellAll()
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true
    while (this.#here.size + this.#elsewhere.size > 0) {
      const [forWatchers, forOthers] = [this.#here, this.#elsewhere]
      this.#here = new Set()
      this.#elsewhere = new Set()
      const told = await Promise.allSettled([this.#tellWatchers(forWatchers), this.#tellOthers([...forOthers])])
      for (const one of told) if (one.status === 'rejected') this.#logFailure(one.reason)
    }
    this.#isTelling = false
  }

  async #tellOthers(deviceIds: readonly DeviceId[]): Promise<void> {
    if (deviceIds.length > 0) await this.#deps.others.tellAlerts(deviceIds)
  }

  async #tellWatchers(deviceIds: ReadonlySet<DeviceId>): Promise<void> {
    const watching = new Set([...deviceIds].flatMap((deviceId) => [...this.#deps.watchers.of(deviceId)]))
    await Promise.all(byScope(watching).map((some) => this.#tellOneScope(some, deviceIds)))
  }

  async #tellOneScope(some: readonly Watcher[], deviceIds: ReadonlySet<DeviceId>): Promise<void> {
    const [first] = some
    if (first === undefined) return
    const wanted = [...deviceIds].filter((deviceId) => some.some((watcher) => watches(watcher, deviceId)))
    for (const event of await this.#deps.readAlerts(first.scope, wanted)) {
      for (const watcher of some) if (watches(watcher, event.deviceId)) watcher.stream.send('alerts', event)
    }
  }

  #logFailure(error: unknown): void {
    this.#deps.log.error({ error: String(error) }, 'live: alerts')
  }
}

const watches = ({ deviceIds, stateDeviceIds }: Watcher, deviceId: DeviceId) =>
  deviceIds.has(deviceId) || stateDeviceIds.has(deviceId)
