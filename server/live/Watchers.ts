import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { CommandsEvent, DeviceEvent, StateEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface LiveStream {
  send(event: 'ready' | 'ping', data: Record<string, never>): void
  send(event: 'device', data: DeviceEvent): void
  send(event: 'state', data: StateEvent): void
  send(event: 'commands', data: CommandsEvent): void
  send(event: 'alerts', data: AlertsEvent): void
  onClose(listener: () => void): void
  close(): void
}

export interface Watcher {
  readonly stream: LiveStream
  /** The scope to read with. Staff and customers see different names in the same row. */
  readonly scope: Scope
  readonly deviceIds: ReadonlySet<DeviceId>
  readonly stateDeviceIds: ReadonlySet<DeviceId>
  readonly lastSent: Map<string, string>
}

export class Watchers {
  readonly #byDevice = new Map<DeviceId, Set<Watcher>>()
  readonly #all = new Set<Watcher>()

  add(watcher: Watcher): void {
    this.#all.add(watcher)
    for (const deviceId of watchedBy(watcher)) {
      const watchers = this.#byDevice.get(deviceId)
      if (watchers) watchers.add(watcher)
      else this.#byDevice.set(deviceId, new Set([watcher]))
    }
  }

  remove(watcher: Watcher): void {
    this.#all.delete(watcher)
    for (const deviceId of watchedBy(watcher)) {
      const watchers = this.#byDevice.get(deviceId)
      watchers?.delete(watcher)
      if (watchers?.size === 0) this.#byDevice.delete(deviceId)
    }
  }

  isWatched(deviceId: DeviceId): boolean {
    return this.#byDevice.has(deviceId)
  }

  get deviceIds(): readonly DeviceId[] {
    return [...this.#byDevice.keys()]
  }

  get all(): readonly Watcher[] {
    return [...this.#all]
  }

  of(deviceId: DeviceId): ReadonlySet<Watcher> {
    return this.#byDevice.get(deviceId) ?? NOBODY
  }
}

/** Groups watchers who read the same rows, so that these are read once. */
export function byScope(watchers: Iterable<Watcher>): readonly Watcher[][] {
  const groups = Map.groupBy(watchers, ({ scope }) => (scope.kind === 'everything' ? 0 : scope.customerId))
  return [...groups.values()]
}

const NOBODY: ReadonlySet<Watcher> = new Set()

function watchedBy(watcher: Watcher): ReadonlySet<DeviceId> {
  return new Set([...watcher.deviceIds, ...watcher.stateDeviceIds])
}
