import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import { type CommandsEvent, type DeviceEvent, PING_EVERY_MS, type StateEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { eventText } from '#server/http/answers/eventStream.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { AlertPublisher } from './AlertPublisher.ts'
import type { OtherProcesses } from './OtherProcesses.store.ts'
import { byScope, type LiveStream, type Watcher, Watchers } from './Watchers.ts'

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

export interface OpenedWatch {
  readonly stream: LiveStream
  readonly scope: Scope
  readonly deviceIds: ReadonlySet<DeviceId>
  readonly stateDeviceIds: ReadonlySet<DeviceId>
  /** False when the session ended, or its rights or a watched device's customer changed since the stream was opened. */
  isStillAllowed(): Promise<boolean>
}

/** Publishes what consoles watch. It always reads current rows, so that the next event makes up for a lost one. */
export class LiveHub {
  readonly #deps: LiveDeps
  readonly #watchers = new Watchers()
  readonly #alerts: AlertPublisher
  readonly #rechecks = new Map<Watcher, () => Promise<boolean>>()
  readonly #pinging = setInterval(() => {
    for (const { stream } of this.#watchers.all) stream.send('ping', {})
  }, PING_EVERY_MS)
  readonly #rechecking = setInterval(() => void this.#recheck(), RECHECK_EVERY_MS)
  #changed = new Set<DeviceId>()
  #changedForOthers = new Set<DeviceId>()
  #gathering: NodeJS.Timeout | undefined
  #telling = Promise.resolve()
  #hasListened = false
  #recheckSoon: NodeJS.Timeout | undefined

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.#alerts = new AlertPublisher({ ...deps, watchers: this.#watchers })
  }

  open({ stream, scope, deviceIds, stateDeviceIds, isStillAllowed }: OpenedWatch): void {
    const watcher: Watcher = { stream, scope, deviceIds, stateDeviceIds, lastSent: new Map() }
    this.#watchers.add(watcher)
    this.#rechecks.set(watcher, isStillAllowed)
    stream.onClose(() => {
      this.#watchers.remove(watcher)
      this.#rechecks.delete(watcher)
      this.#tellOthersWhatIsWatched()
    })
    this.#tellOthersWhatIsWatched()
    stream.send('ready', {})
    // Changes between the page's own calls and this moment would be missed otherwise.
    this.#alerts.greet(watcher)
    for (const deviceId of [...deviceIds, ...stateDeviceIds]) this.#changed.add(deviceId)
    this.#gather()
  }

  /** A device reported, connected, went silent or was edited, in this process or another. */
  noteChanged(deviceId: DeviceId): void {
    const isHere = this.#watchers.isWatched(deviceId)
    const isElsewhere = this.#deps.others.isWatchedElsewhere(deviceId)
    if (isHere) this.#changed.add(deviceId)
    if (isElsewhere) this.#changedForOthers.add(deviceId)
    if (isHere || isElsewhere) this.#gather()
  }

  noteChangedElsewhere(deviceIds: readonly DeviceId[]): void {
    for (const deviceId of deviceIds) if (this.#watchers.isWatched(deviceId)) this.#changed.add(deviceId)
    if (this.#changed.size > 0) this.#gather()
  }

  /** Alerts of these devices were opened, changed, closed or withdrawn in this process. They are published at once. */
  noteAlerts(deviceIds: Iterable<DeviceId>): void {
    for (const deviceId of deviceIds) {
      this.#alerts.note(deviceId)
      // The row of a device shows its number of alerts.
      this.noteChanged(deviceId)
    }
  }

  noteAlertsElsewhere(deviceIds: readonly DeviceId[]): void {
    this.#alerts.noteHere(deviceIds)
  }

  /** Consoles of another process have begun to watch these. Alerts that changed just before are published now. */
  noteWatchedElsewhere(deviceIds: readonly DeviceId[]): void {
    this.#alerts.tellLate(deviceIds)
  }

  /** Somebody's rights may have changed. Streams that are no longer allowed end now, not at the next check. */
  recheckRights(): void {
    this.#recheckSoon ??= setTimeout(() => {
      this.#recheckSoon = undefined
      void this.#recheck()
    }, GATHER_MS)
  }

  /** Publishes everything that is watched here again, because notices may have been missed. */
  retellAll(): void {
    const watched = this.#watchers.deviceIds
    // Every watcher was greeted the first time, so nothing can have been missed.
    if (this.#hasListened) this.#alerts.noteHere(watched)
    this.#hasListened = true
    for (const deviceId of watched) this.#changed.add(deviceId)
    if (this.#changed.size > 0) this.#gather()
  }

  stop(): void {
    clearInterval(this.#pinging)
    clearInterval(this.#rechecking)
    clearTimeout(this.#gathering)
    clearTimeout(this.#recheckSoon)
    for (const { stream } of this.#watchers.all) stream.close()
  }

  #tellOthersWhatIsWatched(): void {
    this.#deps.others.tellWatched(this.#watchers.deviceIds)
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const here = [...this.#changed]
      const elsewhere = [...this.#changedForOthers]
      this.#changed = new Set()
      this.#changedForOthers = new Set()
      this.#telling = this.#telling
        .then(() => this.#tell(here, elsewhere))
        .catch((error) => this.#deps.log.error({ error: String(error) }, 'live'))
    }, GATHER_MS)
  }

  async #tell(here: readonly DeviceId[], elsewhere: readonly DeviceId[]): Promise<void> {
    if (elsewhere.length > 0) await this.#deps.others.tellChanged(elsewhere)
    const watching = new Set(here.flatMap((deviceId) => [...this.#watchers.of(deviceId)]))
    await Promise.all(byScope(watching).map((some) => this.#tellOneScope(some, here)))
  }

  async #tellOneScope(some: readonly Watcher[], here: readonly DeviceId[]): Promise<void> {
    const [first] = some
    if (first === undefined) return
    const { scope } = first
    const { readDevices, readStates, readCommands } = this.#deps
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

  async #recheck(): Promise<void> {
    const due = [...this.#rechecks].values()
    const look = async () => {
      for (const [watcher, isStillAllowed] of due) {
        // While the database is down nothing is known, and the stream sends nothing anyway.
        if (!(await isStillAllowed().catch(() => true))) watcher.stream.close()
      }
    }
    await Promise.all(Array.from({ length: RECHECKED_AT_ONCE }, look))
  }
}

/** A device that sends a backlog reports all the time, while nothing on the screen changes. */
function isNews(watcher: Watcher, deviceId: DeviceId, kind: string, event: object): boolean {
  const key = `${kind} ${deviceId}`
  const text = eventText(event)
  if (watcher.lastSent.get(key) === text) return false
  watcher.lastSent.set(key, text)
  return true
}
