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
export function createOverviewPublisher(deps: OverviewPublisherDeps) {
  const { readValues, readOpenedAlerts, readWrongNow, readAlertChanges, readVerdictChanges, log } = deps
  const watchers = new Set<Watcher>()
  const looks = new Map<string, Look>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let knownChanges: string | undefined
  let changedAtMs = 0

  const schedule = (afterMs: number) => {
    if (isStopped || watchers.size === 0) return
    timer ??= setTimeout(() => {
      tell()
        .catch((error: unknown) => log.error({ error: String(error) }, 'live: overview'))
        .finally(() => {
          timer = undefined
          schedule(LOOK_EVERY_MS)
        })
    }, afterMs)
  }

  async function tell() {
    const changes = (await Promise.all([readAlertChanges(), readVerdictChanges()])).join(' ')
    if (changes !== knownChanges) changedAtMs = performance.now()
    knownChanges = changes
    const haveAlertsChanged = performance.now() - changedAtMs < COMMITTED_WITHIN_MS
    const byScope = Map.groupBy(watchers, ({ scope }) => keyOf(scope))
    for (const key of looks.keys()) if (!byScope.has(key)) looks.delete(key)
    await Promise.all(
      [...byScope].map(async ([key, some]) => {
        const [first] = some
        if (first === undefined) return
        const look = await lookAt(first.scope, haveAlertsChanged, looks.get(key))
        looks.set(key, look)
        const { values, openedAlerts, wrongNow } = look
        for (const [customerId, watching] of Map.groupBy(some, (watcher) => watcher.customerId)) {
          const event = { customerId, values: [...values], openedAlerts: [...openedAlerts], wrongNow }
          for (const watcher of watching) send(watcher, event)
        }
      }),
    )
  }

  async function lookAt(scope: Scope, haveAlertsChanged: boolean, before: Look | undefined): Promise<Look> {
    const values = await readValues(scope)
    // A device that was moved or deleted takes its alerts with it.
    const isSame = !haveAlertsChanged && before !== undefined && isSameFleet(before.values, values)
    if (isSame) return { ...before, values }
    const [openedAlerts, wrongNow] = await Promise.all([readOpenedAlerts(scope), readWrongNow(scope)])
    return { values, openedAlerts, wrongNow }
  }

  function send(watcher: Watcher, event: OverviewEvent) {
    if (!watchers.has(watcher)) return
    const text = eventText(event)
    if (text === watcher.last) return
    watcher.last = text
    watcher.stream.send('overview', event)
  }

  return {
    /** @returns a function that ends the watch */
    watch(overview: WatchedOverview, stream: Watcher['stream']): () => void {
      const watcher = { ...overview, stream, last: '' }
      watchers.add(watcher)
      schedule(0)
      return () => watchers.delete(watcher)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export type OverviewPublisher = ReturnType<typeof createOverviewPublisher>

const isSameFleet = (before: readonly DashboardValue[], now: readonly DashboardValue[]) =>
  JSON.stringify(before) === JSON.stringify(now)
