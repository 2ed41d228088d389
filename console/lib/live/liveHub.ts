import { Listeners } from '#console/lib/notice/Listeners.ts'
import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { CommandsEvent, DeviceEvent, OverviewEvent, StateEvent } from '#contract/http/live.ts'
import { type LiveStatus, leadLive } from './liveLeader.ts'
import type { LiveEventName, Watched } from './liveStream.ts'
import { watchedUnion } from './watchedUnion.ts'

export interface Watcher extends Watched {
  readonly onDevice?: (event: DeviceEvent) => void
  readonly onState?: (event: StateEvent) => void
  readonly onCommands?: (event: CommandsEvent) => void
  readonly onAlerts?: (event: AlertsEvent) => void
  readonly onOverview?: (event: OverviewEvent) => void
}

/** Tabs exchange these messages. The leader answers `who` and `watching`, all others listen. */
type TabMessage =
  | { readonly kind: 'watching'; readonly tabId: string; readonly watched: Watched }
  | { readonly kind: 'who' }
  | { readonly kind: 'event'; readonly name: LiveEventName; readonly data: unknown }
  | { readonly kind: 'status'; readonly status: LiveStatus }

/** A watcher receives only events of what it watches. */
const DELIVERIES: Partial<Record<LiveEventName, (watcher: Watcher, event: never) => void>> = {
  device: (watcher, event: DeviceEvent) => {
    if (watcher.deviceIds.includes(event.id)) watcher.onDevice?.(event)
  },
  state: (watcher, event: StateEvent) => {
    if (watcher.stateDeviceIds.includes(event.deviceId)) watcher.onState?.(event)
  },
  commands: (watcher, event: CommandsEvent) => {
    if (watcher.stateDeviceIds.includes(event.deviceId)) watcher.onCommands?.(event)
  },
  alerts: (watcher, event: AlertsEvent) => {
    if (watcher.deviceIds.includes(event.deviceId)) watcher.onAlerts?.(event)
  },
  overview: (watcher, event: OverviewEvent) => {
    if (watcher.overviews?.includes(event.customerId)) watcher.onOverview?.(event)
  },
}

const LEADER_LOCK = 'wayside.live'
const tabLock = (tabId: string) => `wayside.live.${tabId}`

/**
 * It distributes live events to this tab. A browser allows six connections to a server, so its tabs share one stream:
 * the tab that holds the leader lock keeps the stream and passes its events on. Without locks (plain http from another
 * machine) every tab keeps its own.
 */
class LiveHub {
  readonly #tabId = crypto.getRandomValues(new Uint32Array(4)).join('-')
  readonly #watchers = new Set<Watcher>()
  readonly #statusListeners = new Listeners()
  readonly #againListeners = new Listeners()
  #isStarted = false
  #status: LiveStatus = 'idle'
  #wasDown = false
  #leader: ReturnType<typeof leadLive> | undefined
  #channel: BroadcastChannel | undefined

  watch(watcher: Watcher): () => void {
    this.#start()
    this.#watchers.add(watcher)
    this.#announce()
    return () => {
      this.#watchers.delete(watcher)
      this.#announce()
    }
  }

  readonly onAgain = this.#againListeners.subscribe
  readonly onStatus = this.#statusListeners.subscribe
  readonly status = (): LiveStatus => this.#status

  #start() {
    if (this.#isStarted) return
    this.#isStarted = true
    if (navigator.locks && 'BroadcastChannel' in window) this.#share()
    else this.#lead()
  }

  #share() {
    this.#channel = new BroadcastChannel(LEADER_LOCK)
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data.kind === 'event') this.#takeEvent(data.name, data.data)
      else if (data.kind === 'status') this.#takeStatus(data.status)
      else if (data.kind === 'who') this.#announce()
      else this.#takeTab(data.tabId, data.watched)
    }
    const untilTabCloses = () => new Promise<never>(() => {})
    void navigator.locks.request(tabLock(this.#tabId), untilTabCloses)
    void navigator.locks.request(LEADER_LOCK, () => {
      this.#lead()
      return untilTabCloses()
    })
    this.#announce()
  }

  #lead() {
    // The previous leader is gone, and with it the events since then, so every tab has a gap.
    if (this.#status === 'live') this.#setStatus('down')
    this.#leader = leadLive({
      onEvent: (name, data) => {
        this.#takeEvent(name, data)
        this.#post({ kind: 'event', name, data })
      },
      onStatus: (next) => this.#setStatus(next),
    })
    this.#leader.set(this.#tabId, watchedUnion(this.#watchers))
    this.#post({ kind: 'who' })
  }

  #announce() {
    const watched = watchedUnion(this.#watchers)
    this.#leader?.set(this.#tabId, watched)
    this.#post({ kind: 'watching', tabId: this.#tabId, watched })
  }

  #setStatus(next: LiveStatus) {
    this.#takeStatus(next)
    this.#post({ kind: 'status', status: next })
  }

  #takeTab(tabId: string, watched: Watched) {
    if (!this.#leader) return
    this.#leader.set(tabId, watched)
    this.#post({ kind: 'status', status: this.#status })
    // The lock is granted only when that tab is gone, however it ended.
    void navigator.locks.request(tabLock(tabId), () => this.#leader?.forget(tabId))
  }

  #takeEvent(name: LiveEventName, data: unknown) {
    for (const watcher of [...this.#watchers]) DELIVERIES[name]?.(watcher, data as never)
  }

  #takeStatus(next: LiveStatus) {
    if (next === this.#status) return
    this.#status = next
    this.#statusListeners.notify()
    if (next === 'down' || next === 'full') this.#wasDown = true
    if (next !== 'live' || !this.#wasDown) return
    this.#wasDown = false
    this.#againListeners.notify()
  }

  #post(message: TabMessage) {
    this.#channel?.postMessage(message)
  }
}

export const live = new LiveHub()
