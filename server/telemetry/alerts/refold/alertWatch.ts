import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { startListener } from '#server/db/connect/listener.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AlertRules, type ConditionCache } from '../alertRules.ts'
import { type DirtyRange, foldDirtyRange, readDirtyRanges } from './foldDirtyRanges.ts'

/** A notice is the id of a device whose conditions changed, or empty when all must be read again. */
export const RULES_CHANNEL = 'wayside_alert_rules'
/** Late readings come in bursts, and what they touch is folded together. */
const FOLD_AFTER_MS = 250
/** The sweep folds dirty ranges that a dead process left behind. */
const SWEEP_EVERY_MS = 3_000
const LEFT_BEHIND_AFTER_MS = 5_000

export interface AlertWatchDeps {
  readonly pool: pg.Pool
  connect(): Promise<pg.Client>
  onAlerts(devices: ReadonlySet<DeviceId>): void
  log(sentence: string, error: unknown): void
}

/** The part of this process that judges and stores readings, device by device. */
interface JudgingPath {
  between<Result>(deviceId: DeviceId, work: () => Promise<Result>): Promise<Result>
  /** Forgets what is known of the device's alerts, because it is no longer right. */
  forgetAlerts(deviceId: DeviceId): void
}

export interface AlertWatch {
  readonly rules: ConditionCache
  noteLate(devices: ReadonlySet<DeviceId>): void
  attach(writePath: JudgingPath): void
  stop(): Promise<void>
}

/**
 * Keeps the conditions of this process current, and folds late readings. A condition that was changed anywhere counts
 * from the next reading here too, because the database notifies every process.
 */
export async function startAlertWatch(deps: AlertWatchDeps): Promise<AlertWatch> {
  const { pool, log } = deps
  let rules = await AlertRules.read(pool)
  let reading: Promise<void> | undefined
  let writePath: JudgingPath | undefined
  let late = new Set<DeviceId>()
  let foldTimer: NodeJS.Timeout | undefined
  let folding = Promise.resolve()
  let isStopped = false

  const refresh = () => {
    reading ??= (async () => {
      // Several notices belong to one change and arrive together. A notice after the read began starts another read.
      await new Promise((resolve) => setImmediate(resolve))
      reading = undefined
      rules = await AlertRules.read(pool, rules)
    })()
    return reading
  }

  async function fold(marked: DirtyRange, path: JudgingPath) {
    const isChanged = await path.between(marked.deviceId, async () => {
      const changed = await inTransaction(pool, (connection) => foldDirtyRange(connection, marked, new Date()))
      path.forgetAlerts(marked.deviceId)
      return changed
    })
    if (isChanged) deps.onAlerts(new Set([marked.deviceId]))
  }

  async function foldAll(devices: readonly DeviceId[] | { readonly olderThanMs: number }) {
    const path = writePath
    if (path === undefined) return
    for (const marked of await readDirtyRanges(pool, devices)) {
      if (isStopped) return
      await fold(marked, path)
    }
  }
  const foldNext = (devices: readonly DeviceId[] | { readonly olderThanMs: number }) => {
    folding = folding
      .then(() => foldAll(devices))
      .catch((error: unknown) => log('Alerts of late readings could not be folded; it is tried again.', error))
  }

  const listener = startListener({
    connect: deps.connect,
    channels: [RULES_CHANNEL],
    onNotice: (_, payload) => {
      if (payload === '') refresh().catch((error: unknown) => log('Conditions could not be read.', error))
      else writePath?.forgetAlerts(Number(payload) as DeviceId)
    },
    onListening: async () => {
      await refresh()
    },
    onFailure: (error) => {
      if (!isStopped) log('Changes of conditions cannot be heard for now.', error)
    },
  })
  const sweeping = setInterval(() => foldNext({ olderThanMs: LEFT_BEHIND_AFTER_MS }), SWEEP_EVERY_MS)

  return {
    rules: { current: () => rules, refresh },
    noteLate(devices) {
      for (const deviceId of devices) late.add(deviceId)
      foldTimer ??= setTimeout(() => {
        foldTimer = undefined
        const own = [...late]
        late = new Set()
        foldNext(own)
      }, FOLD_AFTER_MS)
    },
    attach(path) {
      writePath = path
    },
    async stop() {
      isStopped = true
      clearInterval(sweeping)
      clearTimeout(foldTimer)
      await listener.stop()
      await folding
    },
  }
}
