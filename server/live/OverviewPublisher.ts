import type { DashboardValue, OpenedAlertRow, WrongNow } from '#contract/http/insight/overview.ts'
import type { OverviewEvent } from '#contract/http/live.ts'
import type { CustomerId } from '#domain/ids.ts'
import { eventText } from '#server/http/answers/eventStream.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface OverviewPublisherDeps {
  readValues(scope: Scope): Promise<readonly DashboardValue[]>
  readOpenedAlerts(scope: Scope): Promise<readonly OpenedAlertRow[]>
  readWrongNow(scope: Scope): Promise<WrongNow>
  /** The result differs after every change of any alert. */
  readAlertChanges(): Promise<string>
  /** The result differs after every change of any verdict. */
  readVerdictChanges(): Promise<string>
  readonly log: { error(details: object, message: string): void }
}

export interface WatchedOverview {
  readonly customerId: CustomerId | -1
  readonly scope: Scope
}

interface Watcher extends WatchedOverview {
  readonly stream: { send(event: 'overview', data: OverviewEvent): void }
  last: string
}

interface Look {
  readonly values: readonly DashboardValue[]
  readonly openedAlerts: readonly OpenedAlertRow[]
  readonly wrongNow: WrongNow
}

/** The database maintains the counts, so polling them is cheap and right whichever process made a change. */
const LOOK_EVERY_MS = 1_000
/** The number of changes moves before they are committed, so alerts are read for as long as a commit may take. */
const COMMITTED_WITHIN_MS = 10_000

const keyOf = (scope: Scope) => (scope.kind === 'everything' ? 'everything' : String(scope.customerId))

/** Publishes the numbers of the Overview within a second of their change. It reads nothing while nobody watches. */
export class OverviewPublisher {
  readonly #deps: OverviewPublisherDeps
  readonly #watchers = new Set<Watcher>()
  readonly #looks = new Map<string, Look>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #knownChanges: string | undefined
  #changedAtMs = 0

  constructor(deps: OverviewPublisherDeps) {
    this.#deps = deps
  }

  /** @returns a function that ends the watch */
  watch(overview: WatchedOverview, stream: Watcher['stream']): () => void {
    const watcher = { ...overview, stream, last: '' }
    this.#watchers.add(watcher)
    this.#schedule(0)
    return () => this.#watchers.delete(watcher)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(afterMs: number): void {
    if (this.#isStopped || this.#watchers.size === 0) return
    this.#timer ??= setTimeout(() => {
      this.#tell()
        .catch((error: unknown) => this.#deps.log.error({ error: String(error) }, 'live: overview'))
        .finally(() => {
          this.#timer = undefined
          this.#schedule(LOOK_EVERY_MS)
        })
    }, afterMs)
  }

  async #tell(): Promise<void> {
    const { readAlertChanges, readVerdictChanges } = this.#deps
    const changes = (await Promise.all([readAlertChanges(), readVerdictChanges()])).join(' ')
    if (changes !== this.#knownChanges) this.#changedAtMs = performance.now()
    this.#knownChanges = changes
    const haveAlertsChanged = performance.now() - this.#changedAtMs < COMMITTED_WITHIN_MS
    const byScope = Map.groupBy(this.#watchers, ({ scope }) => keyOf(scope))
    for (const key of this.#looks.keys()) if (!byScope.has(key)) this.#looks.delete(key)
    await Promise.all([...byScope].map(([key, some]) => this.#tellOneScope(key, some, haveAlertsChanged)))
  }

  async #tellOneScope(key: string, some: readonly Watcher[], haveAlertsChanged: boolean): Promise<void> {
    const [first] = some
    if (first === undefined) return
    const look = await this.#lookAt(first.scope, haveAlertsChanged, this.#looks.get(key))
    this.#looks.set(key, look)
    const { values, openedAlerts, wrongNow } = look
    for (const [customerId, watching] of Map.groupBy(some, (watcher) => watcher.customerId)) {
      const event = { customerId, values: [...values], openedAlerts: [...openedAlerts], wrongNow }
      for (const watcher of watching) this.#send(watcher, event)
    }
  }

  async #lookAt(scope: Scope, haveAlertsChanged: boolean, before: Look | undefined): Promise<Look> {
    const { readValues, readOpenedAlerts, readWrongNow } = this.#deps
    const values = await readValues(scope)
    // A device that was moved or deleted takes its alerts with it.
    const isSame = !haveAlertsChanged && before !== undefined && isSameFleet(before.values, values)
    if (isSame) return { ...before, values }
    const [openedAlerts, wrongNow] = await Promise.all([readOpenedAlerts(scope), readWrongNow(scope)])
    return { values, openedAlerts, wrongNow }
  }

  #send(watcher: Watcher, event: OverviewEvent): void {
    if (!this.#watchers.has(watcher)) return
    const text = eventText(event)
    if (text === watcher.last) return
    watcher.last = text
    watcher.stream.send('overview', event)
  }
}

const isSameFleet = (before: readonly DashboardValue[], now: readonly DashboardValue[]) =>
  JSON.stringify(before) === JSON.stringify(now)
