import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { CommandsEvent, DeviceEvent, OverviewEvent, StateEvent } from '#contract/http/live.ts'
import { type LiveStatus, leadLive } from './liveLeader.ts'
import type { LiveEventName, Watched } from './liveStream.ts'
import { watchedUnion } from './watchedUnion.ts'

interface Watcher extends Watched {
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

const LEADER_LOCK = 'wayside.live'
const tabLock = (tabId: string) => `wayside.live.${tabId}`

/**
 * It distributes live events to this tab. A browser allows six connections to a server, so its tabs share one stream:
 * the tab that holds the leader lock keeps the stream and passes its events on. Without locks (plain http from another
 * machine) every tab keeps its own.
 */
function startLiveHub() {
  const tabId = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const watchers = new Set<Watcher>()
  const statusListeners = new Set<() => void>()
  const againListeners = new Set<() => void>()
  let status: LiveStatus = 'idle'
  let wasDown = false
  let leader: ReturnType<typeof leadLive> | undefined
  let channel: BroadcastChannel | undefined

  const watched = () => watchedUnion(watchers)
  const announce = () => {
    const message: TabMessage = { kind: 'watching', tabId, watched: watched() }
    leader?.set(tabId, message.watched)
    channel?.postMessage(message)
  }

  const takeEvent = (name: LiveEventName, data: unknown) => {
    for (const watcher of [...watchers]) {
      if (name === 'device') {
        const event = data as DeviceEvent
        if (watcher.deviceIds.includes(event.id)) watcher.onDevice?.(event)
      }
      if (name === 'state') {
        const event = data as StateEvent
        if (watcher.stateDeviceIds.includes(event.deviceId)) watcher.onState?.(event)
      }
      if (name === 'commands') {
        const event = data as CommandsEvent
        if (watcher.stateDeviceIds.includes(event.deviceId)) watcher.onCommands?.(event)
      }
      if (name === 'alerts') {
        const event = data as AlertsEvent
        if (watcher.deviceIds.includes(event.deviceId)) watcher.onAlerts?.(event)
      }
      if (name === 'overview') {
        const event = data as OverviewEvent
        if (watcher.overviews?.includes(event.customerId)) watcher.onOverview?.(event)
      }
    }
  }

  const takeStatus = (next: LiveStatus) => {
    if (next === status) return
    status = next
    for (const tell of statusListeners) tell()
    if (next === 'down' || next === 'full') wasDown = true
    if (next !== 'live' || !wasDown) return
    wasDown = false
    for (const tell of againListeners) tell()
  }

  const tellAll = (next: LiveStatus) => {
    takeStatus(next)
    channel?.postMessage({ kind: 'status', status: next } satisfies TabMessage)
  }

  const lead = () => {
    // The previous leader is gone, and with it the events since then, so every tab has a gap.
    if (status === 'live') tellAll('down')
    leader = leadLive({
      onEvent: (name, data) => {
        takeEvent(name, data)
        channel?.postMessage({ kind: 'event', name, data } satisfies TabMessage)
      },
      onStatus: tellAll,
    })
    leader.set(tabId, watched())
    channel?.postMessage({ kind: 'who' } satisfies TabMessage)
  }

  const takeTab = (otherTabId: string, its: Watched) => {
    if (!leader) return
    leader.set(otherTabId, its)
    channel?.postMessage({ kind: 'status', status } satisfies TabMessage)
    // The lock is granted only when that tab is gone, however it ended.
    void navigator.locks.request(tabLock(otherTabId), () => leader?.forget(otherTabId))
  }

  const share = () => {
    channel = new BroadcastChannel(LEADER_LOCK)
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data.kind === 'event') takeEvent(data.name, data.data)
      else if (data.kind === 'status') takeStatus(data.status)
      else if (data.kind === 'who') announce()
      else takeTab(data.tabId, data.watched)
    }
    const untilTabCloses = () => new Promise<never>(() => {})
    void navigator.locks.request(tabLock(tabId), untilTabCloses)
    void navigator.locks.request(LEADER_LOCK, () => {
      lead()
      return untilTabCloses()
    })
    announce()
  }

  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    if (navigator.locks && 'BroadcastChannel' in window) share()
    else lead()
  }

  return {
    watch: (watcher: Watcher): (() => void) => {
      start()
      watchers.add(watcher)
      announce()
      return () => {
        watchers.delete(watcher)
        announce()
      }
    },
    onAgain: (listener: () => void): (() => void) => {
      againListeners.add(listener)
      return () => againListeners.delete(listener)
    },
    onStatus: (listener: () => void): (() => void) => {
      statusListeners.add(listener)
      return () => statusListeners.delete(listener)
    },
    status: () => status,
  }
}

export const live = startLiveHub()
