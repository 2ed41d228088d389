import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import { type CommandsEvent, type DeviceEvent, PING_EVERY_MS, type StateEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { eventText } from '#server/http/answers/eventStream.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { createAlertPublisher } from './alertPublisher.ts'
import { byScope, type LiveStream, type Watcher, Watchers } from './watchers.ts'

/** Changes are gathered this long, so that a device that reports ten components at once causes one event. */
const GATHER_MS = 150
/** An open stream must notice within 5 s that its rights are gone (security: revocation within 5 s). */
const RECHECK_EVERY_MS = 4_000
/** Checking all streams at once would delay everybody's calls. */
const RECHECKED_AT_ONCE = 4

export interface LiveDeps {
  /** Each reader leaves out devices that are no longer within the scope. */
  readDevices(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly DeviceEvent[]>
  readStates(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly StateEvent[]>
  readCommands(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly CommandsEvent[]>
  /** Reads what just changed in the alerts of these devices, as seen within the scope. */
  readAlerts(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly AlertsEvent[]>
  readonly others: OtherProcesses
  readonly log: { error(details: object, message: string): void }
}

export interface OtherProcesses {
  isWatchedElsewhere(deviceId: DeviceId): boolean
  tellChanged(deviceIds: readonly DeviceId[]): Promise<void>
  tellAlerts(deviceIds: readonly DeviceId[]): Promise<void>
  tellWatched(deviceIds: readonly DeviceId[]): Promise<void>
}

export interface OpenedWatch {
  readonly stream: LiveStream
  readonly scope: Scope
  readonly deviceIds: ReadonlySet<DeviceId>
  readonly stateDeviceIds: ReadonlySet<DeviceId>
  /** False when the session ended, or its rights or a watched device's customer changed since the stream was opened. */
  isStillAllowed(): Promise<boolean>
}

export interface LiveHub {
  open(watch: OpenedWatch): void
  /** A device reported, connected, went silent or was edited, in this process or another. */
  noteChanged(deviceId: DeviceId): void
  noteChangedElsewhere(deviceIds: readonly DeviceId[]): void
  /** Alerts of these devices were opened, changed, closed or withdrawn in this process. They are published at once. */
  noteAlerts(deviceIds: Iterable<DeviceId>): void
  noteAlertsElsewhere(deviceIds: readonly DeviceId[]): void
  /** Consoles of another process have begun to watch these. Alerts that changed just before are published now. */
  noteWatchedElsewhere(deviceIds: readonly DeviceId[]): void
  /** Somebody's rights may have changed. Streams that are no longer allowed end now, not at the next check. */
  recheckRights(): void
  /** Publishes everything that is watched here again, because notices may have been missed. */
  retellAll(): void
  stop(): void
}

/** A device that sends a backlog reports all the time, while nothing on the screen changes. */
function isNews(watcher: Watcher, deviceId: DeviceId, kind: string, event: object): boolean {
  const key = `${kind} ${deviceId}`
  const text = eventText(event)
  if (watcher.lastSent.get(key) === text) return false
  watcher.lastSent.set(key, text)
  return true
}

/** Publishes what consoles watch. It always reads current rows, so that the next event makes up for a lost one. */
export function createLiveHub(deps: LiveDeps): LiveHub {
  const { readDevices, readStates, readCommands, readAlerts, others, log } = deps
  const watchers = new Watchers()
  const alerts = createAlertPublisher({ watchers, others, readAlerts, log })
  const rechecks = new Map<Watcher, () => Promise<boolean>>()
  let changed = new Set<DeviceId>()
  let changedForOthers = new Set<DeviceId>()
  let gathering: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  let hasListened = false
  let soon: NodeJS.Timeout | undefined

  const gather = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      const here = [...changed]
      const elsewhere = [...changedForOthers]
      changed = new Set()
      changedForOthers = new Set()
      telling = telling.then(() => tell(here, elsewhere)).catch((error) => log.error({ error: String(error) }, 'live'))
    }, GATHER_MS)
  }

  async function tell(here: readonly DeviceId[], elsewhere: readonly DeviceId[]) {
    if (elsewhere.length > 0) await others.tellChanged(elsewhere)
    const watching = new Set(here.flatMap((deviceId) => [...watchers.of(deviceId)]))
    await Promise.all(byScope(watching).map((some) => tellOneScope(some, here)))
  }

  async function tellOneScope(some: readonly Watcher[], here: readonly DeviceId[]) {
    const [first] = some
    if (first === undefined) return
    const { scope } = first
    const rows = here.filter((id) => some.some(({ deviceIds }) => deviceIds.has(id)))
    const states = here.filter((id) => some.some(({ stateDeviceIds }) => stateDeviceIds.has(id)))
    const [deviceEvents, stateEvents, commandsEvents] = await Promise.all([
      rows.length > 0 ? readDevices(scope, rows) : [],
      states.length > 0 ? readStates(scope, states) : [],
      states.length > 0 ? readCommands(scope, states) : [],
    ])
    for (const event of deviceEvents) {
      for (const watcher of some) {
        if (watcher.deviceIds.has(event.id) && isNews(watcher, event.id, 'device', event)) {
          watcher.stream.send('device', event)
        }
      }
    }
    const opened = (deviceId: DeviceId) => some.filter(({ stateDeviceIds }) => stateDeviceIds.has(deviceId))
    for (const event of stateEvents) {
      for (const watcher of opened(event.deviceId)) {
        if (isNews(watcher, event.deviceId, 'state', event)) watcher.stream.send('state', event)
      }
    }
    for (const event of commandsEvents) {
      for (const watcher of opened(event.deviceId)) {
        if (isNews(watcher, event.deviceId, 'commands', event)) watcher.stream.send('commands', event)
      }
    }
  }

  function noteChanged(deviceId: DeviceId) {
    const isHere = watchers.isWatched(deviceId)
    const isElsewhere = others.isWatchedElsewhere(deviceId)
    if (isHere) changed.add(deviceId)
    if (isElsewhere) changedForOthers.add(deviceId)
    if (isHere || isElsewhere) gather()
  }

  const tellOthersWhatIsWatched = () => {
    others.tellWatched(watchers.deviceIds).catch((error) => log.error({ error: String(error) }, 'live: watch list'))
  }

  async function recheck() {
    const due = [...rechecks].values()
    const look = async () => {
      for (const [watcher, isStillAllowed] of due) {
        // While the database is down nothing is known, and the stream sends nothing anyway.
        if (!(await isStillAllowed().catch(() => true))) watcher.stream.close()
      }
    }
    await Promise.all(Array.from({ length: RECHECKED_AT_ONCE }, look))
  }

  const recheckSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      void recheck()
    }, GATHER_MS)
  }

  const pinging = setInterval(() => {
    for (const { stream } of watchers.all) stream.send('ping', {})
  }, PING_EVERY_MS)
  const rechecking = setInterval(() => void recheck(), RECHECK_EVERY_MS)

  return {
    open({ stream, scope, deviceIds, stateDeviceIds, isStillAllowed }) {
      const watcher: Watcher = { stream, scope, deviceIds, stateDeviceIds, lastSent: new Map() }
      watchers.add(watcher)
      rechecks.set(watcher, isStillAllowed)
      stream.onClose(() => {
        watchers.remove(watcher)
        rechecks.delete(watcher)
        tellOthersWhatIsWatched()
      })
      tellOthersWhatIsWatched()
      stream.send('ready', {})
      // Changes between the page's own calls and this moment would be missed otherwise.
      alerts.greet(watcher)
      for (const deviceId of [...deviceIds, ...stateDeviceIds]) changed.add(deviceId)
      gather()
    },
    noteChanged,
    noteChangedElsewhere(deviceIds) {
      for (const deviceId of deviceIds) if (watchers.isWatched(deviceId)) changed.add(deviceId)
      if (changed.size > 0) gather()
    },
    noteAlerts(deviceIds) {
      for (const deviceId of deviceIds) {
        alerts.note(deviceId)
        // The row of a device shows its number of alerts.
        noteChanged(deviceId)
      }
    },
    noteAlertsElsewhere: (deviceIds) => alerts.noteHere(deviceIds),
    noteWatchedElsewhere: (deviceIds) => alerts.tellLate(deviceIds),
    recheckRights: recheckSoon,
    retellAll() {
      // Every watcher was greeted the first time, so nothing can have been missed.
      if (hasListened) alerts.noteHere(watchers.deviceIds)
      hasListened = true
      for (const deviceId of watchers.deviceIds) changed.add(deviceId)
      if (changed.size > 0) gather()
    },
    stop() {
      clearInterval(pinging)
      clearInterval(rechecking)
      clearTimeout(gathering)
      clearTimeout(soon)
      for (const { stream } of watchers.all) stream.close()
    },
  }
}
