import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { ChannelListener } from '#server/db/connect/ChannelListener.ts'
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

type Due = readonly DeviceId[] | { readonly olderThanMs: number }

/**
 * Keeps the conditions of this process current, and folds late readings. A condition that was changed anywhere counts
 * from the next reading here too, because the database notifies every process.
 */
export class AlertWatch {
  readonly rules: ConditionCache = { current: () => this.#rules, refresh: () => this.#refresh() }
  readonly #deps: AlertWatchDeps
  readonly #listener: ChannelListener
  readonly #sweeping = setInterval(() => this.#foldNext({ olderThanMs: LEFT_BEHIND_AFTER_MS }), SWEEP_EVERY_MS)
  #rules: AlertRules
  #reading: Promise<void> | undefined
  #writePath: JudgingPath | undefined
  #late = new Set<DeviceId>()
  #foldTimer: NodeJS.Timeout | undefined
  #folding = Promise.resolve()
  #isStopped = false

  static async start(deps: AlertWatchDeps): Promise<AlertWatch> {
    return new AlertWatch(deps, await AlertRules.read(deps.pool))
  }

  private constructor(deps: AlertWatchDeps, rules: AlertRules) {
    this.#deps = deps
    this.#rules = rules
    this.#listener = new ChannelListener({
      connect: deps.connect,
      channels: [RULES_CHANNEL],
      onNotice: (_, payload) => this.#hear(payload),
      onListening: () => this.#refresh(),
      onFailure: (error) => {
        if (!this.#isStopped) deps.log('Changes of conditions cannot be heard for now.', error)
      },
    })
  }

  attach(writePath: JudgingPath): void {
    this.#writePath = writePath
  }

  noteLate(devices: ReadonlySet<DeviceId>): void {
    for (const deviceId of devices) this.#late.add(deviceId)
    this.#foldTimer ??= setTimeout(() => {
      this.#foldTimer = undefined
      const own = [...this.#late]
      this.#late = new Set()
      this.#foldNext(own)
    }, FOLD_AFTER_MS)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeping)
    clearTimeout(this.#foldTimer)
    await this.#listener.stop()
    await this.#folding
  }

  #hear(payload: string): void {
    if (payload !== '') this.#writePath?.forgetAlerts(Number(payload) as DeviceId)
    else this.#refresh().catch((error: unknown) => this.#deps.log('Conditions could not be read.', error))
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#readRules()
    return this.#reading
  }

  /** Several notices belong to one change and arrive together. A notice after the read began starts another read. */
  async #readRules(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#reading = undefined
    this.#rules = await AlertRules.read(this.#deps.pool, this.#rules)
  }

  #foldNext(due: Due): void {
    this.#folding = this.#folding
      .then(() => this.#foldAll(due))
      .catch((error: unknown) =>
        this.#deps.log('Alerts of late readings could not be folded; it is tried again.', error),
      )
  }

  async #foldAll(due: Due): Promise<void> {
    const path = this.#writePath
    if (path === undefined) return
    for (const range of await readDirtyRanges(this.#deps.pool, due)) {
      if (this.#isStopped) return
      await this.#fold(range, path)
    }
  }

  async #fold(range: DirtyRange, path: JudgingPath): Promise<void> {
    const isChanged = await path.between(range.deviceId, async () => {
      const changed = await inTransaction(this.#deps.pool, (connection) =>
        foldDirtyRange(connection, range, new Date()),
      )
      path.forgetAlerts(range.deviceId)
      return changed
    })
    if (isChanged) this.#deps.onAlerts(new Set([range.deviceId]))
  }
}
