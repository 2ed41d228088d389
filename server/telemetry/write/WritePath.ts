import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { type ConditionCache, NO_RULES } from '#server/telemetry/alerts/alertRules.ts'
import { bytesHeld, type Submission } from '#server/telemetry/ingress/submission.ts'
import {
  newTelemetryCounters,
  type TelemetryCounters,
  type WaitingReports,
} from '#server/telemetry/ingress/telemetryCounters.ts'
import { DevicesNow } from '#server/telemetry/state/deviceNow.ts'
import { AwayDevices } from './AwayDevices.ts'
import { IngestShard, type OnStored } from './IngestShard.ts'
import type { MergeDeps } from './UnmergedRounds.ts'

/** The payload bytes that may wait for the database. Beyond this the gateway stops reading. */
const FULL_BYTES = 32 * 1024 * 1024
const ROOM_BYTES = FULL_BYTES / 2

export interface WritePathDeps {
  /** The pool of the application's role. A shard without its own pool takes one connection while it writes. */
  readonly pool: pg.Pool
  /** Each pool has a single connection, because dirty ranges belong to one and a second would need them anew. */
  readonly lanePools?: readonly pg.Pool[]
  /** The number of transactions that run in parallel. A device always belongs to the same shard. */
  readonly lanes?: number
  readonly retentionDays: number
  /** This is called after each commit, with the devices that reported. */
  readonly onStored: OnStored
  /** Conditions are evaluated only when this is given. */
  readonly rules?: ConditionCache
  /** Whether two machines report as this device. By default no device counts as contested. */
  readonly isContested?: (deviceId: DeviceId) => boolean
  /** This is called after each commit that changed alerts, with their devices. */
  readonly onAlerts?: (devices: ReadonlySet<DeviceId>) => void
  /** This is called after each commit of readings that arrived too late for their conditions. */
  readonly onLateReadings?: (devices: ReadonlySet<DeviceId>) => void
  /** How long a worker of the database may be away before the reports of all other devices go on. */
  readonly awayAfterMs?: number
  readonly log: (sentence: string, error: unknown) => void
}

const DEFAULT_LANES = 2
/** A component is merged into its stored state at most this often. */
const MERGE_EVERY_MS = 30 * 60_000
/** Late readings must soon appear in charts of days whose raw rows are gone, and in dark minutes. */
const LATE_EVERY_MS = 2_000
/** Most devices have reported the end of an hour by then. */
const MERGE_AFTER_HOUR_MS = 10_000
/** The longest delay of new values in the device list. It doubles when a process ends before it has written. */
const LIST_EVERY_MS = 6_000

/** Stores checked reports. Receipts of a submission are confirmed only after everything in it is committed. */
export class WritePath {
  readonly counters: TelemetryCounters = newTelemetryCounters()
  readonly retentionDays: number
  readonly #deps: WritePathDeps
  readonly #shards: readonly IngestShard[]
  readonly #devicesNow = new DevicesNow()
  readonly #away: AwayDevices
  readonly #lateTimer = setInterval(() => this.#mergeLate(), LATE_EVERY_MS).unref()
  readonly #listTimer = setInterval(() => this.#list(), LIST_EVERY_MS).unref()
  #mergeTimer: NodeJS.Timeout | undefined
  #merging = Promise.resolve()
  #listing = Promise.resolve()
  #waitingBytes = 0
  #waiters: (() => void)[] = []
  #isStopping = false

  constructor(deps: WritePathDeps) {
    const { pool, lanePools = Array.from({ length: deps.lanes ?? DEFAULT_LANES }, () => pool) } = deps
    this.#deps = deps
    this.retentionDays = deps.retentionDays
    this.#away = new AwayDevices(pool, deps)
    const shardDeps = {
      rules: NO_RULES,
      isContested: () => false,
      onAlerts: () => undefined,
      onLateReadings: () => undefined,
      ...deps,
      counters: this.counters,
      devicesNow: this.#devicesNow,
      away: this.#away,
      onSettled: (bytes: number) => this.#settle(bytes),
    }
    this.#shards = lanePools.map((lanePool) => new IngestShard({ ...shardDeps, lanePool }))
    this.#mergeNext()
  }

  /** Whether senders should pause until `whenRoom` calls back. */
  get isFull(): boolean {
    return this.#waitingBytes > FULL_BYTES
  }

  /** Why reports are not being stored, and since when, in the shard that has waited longest. */
  get trouble(): IngestShard['trouble'] {
    return this.#shards
      .flatMap(({ trouble }) => trouble ?? [])
      .sort((a, b) => a.sinceMs - b.sinceMs)
      .at(0)
  }

  /** Whether reports of some devices are held back, because a worker of the database is away. */
  get isHolding(): boolean {
    return this.#away.hasSome
  }

  get waiting(): WaitingReports {
    const of = this.#shards.map(({ waiting }) => waiting)
    const sinceMs = Math.min(...of.map((shard) => shard.sinceMs))
    return {
      packets: of.reduce((all, shard) => all + shard.packets, 0),
      bytes: this.#waitingBytes,
      oldestMs: sinceMs === Number.POSITIVE_INFINITY ? 0 : performance.now() - sinceMs,
    }
  }

  submit(submission: Submission): void {
    this.#waitingBytes += bytesHeld(submission)
    this.#shardOf(submission.deviceId).submit(submission)
  }

  whenRoom(callback: () => void): void {
    this.#waiters.push(callback)
  }

  /** Forgets a device that is gone. What was remembered only saved work. */
  forget(deviceId: DeviceId): void {
    this.#shardOf(deviceId).forget(deviceId)
  }

  /** Forgets a device's conditions and their states, because something else changed them. */
  forgetAlerts(deviceId: DeviceId): void {
    this.#shardOf(deviceId).forgetAlerts(deviceId)
  }

  /** Runs work during which this process stores nothing of the device. */
  between<Result>(deviceId: DeviceId, work: () => Promise<Result>): Promise<Result> {
    return this.#shardOf(deviceId).between(work)
  }

  /** Merges everything stored so far into the current state now, instead of at the next scheduled merge. */
  mergeState(): Promise<void> {
    return this.#merge({ isOver: this.#isOver })
  }

  /** Writes what is new for lists now, instead of within seconds. */
  listNow(): Promise<void> {
    return this.#list()
  }

  /** Resolves when everything is stored, or when the time is up. What still waits then was never acknowledged. */
  async stop(longestMs: number): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#mergeTimer)
    clearInterval(this.#lateTimer)
    clearInterval(this.#listTimer)
    const endsAt = performance.now() + longestMs
    const isTooLate = () => performance.now() > endsAt
    // Whatever is not merged by then is merged by the next process, from the stored dirty ranges.
    const drained = Promise.all(this.#shards.map((shard) => shard.drained()))
      .then(() => this.#list('all'))
      .then(() => this.#merge({ isOver: isTooLate, isHurried: true }))
    // A shard may also hang in a connection attempt that cannot be cancelled.
    await Promise.race([drained.catch(() => undefined), sleep(longestMs, undefined, { ref: false })])
    for (const shard of this.#shards) shard.abandon()
    this.#away.stop()
  }

  #shardOf(deviceId: DeviceId): IngestShard {
    return this.#shards[deviceId % this.#shards.length] as IngestShard
  }

  #settle(bytes: number): void {
    this.#waitingBytes -= bytes
    if (this.#waitingBytes > ROOM_BYTES || this.#waiters.length === 0) return
    const released = this.#waiters
    this.#waiters = []
    for (const release of released) release()
  }

  readonly #isOver = () => this.#isStopping

  /** Merges run one after the other; which shards take part is asked when the turn comes. */
  #merge(merge: MergeDeps, of = () => this.#shards): Promise<void> {
    const merged = this.#merging.then(
      async () => void (await Promise.all(of().map((shard) => shard.mergeState(merge)))),
    )
    this.#merging = merged.catch(() => undefined)
    return merged
  }

  /** The merge runs soon after the end of each hour, because an hour is rolled up when its last dirty range is merged. */
  #mergeNext(): void {
    this.#mergeTimer = setTimeout(
      async () => {
        await this.mergeState().catch((error: unknown) => this.#logUnmerged(error))
        if (!this.#isStopping) this.#mergeNext()
      },
      MERGE_EVERY_MS - ((Date.now() - MERGE_AFTER_HOUR_MS) % MERGE_EVERY_MS),
    ).unref()
  }

  #mergeLate(): void {
    const late = () => this.#shards.filter((shard) => shard.hasLateReadings())
    if (late().length === 0) return
    this.#merge({ isOver: this.#isOver, isLateOnly: true }, late).catch((error: unknown) => this.#logUnmerged(error))
  }

  #list(what: 'news' | 'all' = 'news'): Promise<void> {
    const { pool, onStored, log } = this.#deps
    this.#listing = this.#listing
      .then(() => (what === 'all' ? this.#devicesNow.writeAll(pool) : this.#devicesNow.write(pool)))
      .then((changed) => {
        if (changed.length > 0) onStored(new Set(changed), new Set(changed))
      })
      .catch((error: unknown) => log('What lists show of devices could not be written; it is tried again.', error))
    return this.#listing
  }

  #logUnmerged(error: unknown): void {
    this.#deps.log('The current state could not be merged; it is tried again.', error)
  }
}
