import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { type ConditionCache, NO_RULES } from '#server/telemetry/alerts/alertRules.ts'
import type { Submission } from '#server/telemetry/ingress/submission.ts'
import {
  newTelemetryCounters,
  type TelemetryCounters,
  type WaitingReports,
} from '#server/telemetry/ingress/telemetryCounters.ts'
import { DevicesNow } from '#server/telemetry/state/deviceNow.ts'
import { IngestShard, type MergeDeps, type OnStored } from './ingestShard.ts'

/** The payload bytes that may wait for the database. Beyond this the gateway stops reading. */
const FULL_BYTES = 32 * 1024 * 1024
const ROOM_BYTES = FULL_BYTES / 2
/** A parsed report takes several hundred bytes, even when its payload is a few bytes long. */
const BYTES_OF_A_PACKET = 512

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
  readonly log: (sentence: string, error: unknown) => void
}

export interface WritePath {
  readonly counters: TelemetryCounters
  readonly retentionDays: number
  /** Whether senders should pause until `whenRoom` calls back. */
  readonly isFull: boolean
  /** Why reports are not being stored, and since when, in the shard that has waited longest. */
  readonly trouble: IngestShard['trouble']
  readonly waiting: WaitingReports
  submit(submission: Submission): void
  whenRoom(callback: () => void): void
  /** Forgets a device that is gone. What was remembered only saved work. */
  forget(deviceId: DeviceId): void
  /** Forgets a device's conditions and their states, because something else changed them. */
  forgetAlerts(deviceId: DeviceId): void
  /** Runs work during which this process stores nothing of the device. */
  between<Result>(deviceId: DeviceId, work: () => Promise<Result>): Promise<Result>
  /** Merges everything stored so far into the current state now, instead of at the next scheduled merge. */
  mergeState(): Promise<void>
  /** Resolves when everything is stored, or when the time is up. What still waits then was never acknowledged. */
  stop(longestMs: number): Promise<void>
}

const DEFAULT_LANES = 2
/** A component is merged into its stored state at most this often. */
const MERGE_EVERY_MS = 30 * 60_000
/** Late readings must soon appear in charts of days whose raw rows are gone, and in dark minutes. */
const LATE_EVERY_MS = 2_000
/** Most devices have reported the end of an hour by then. */
const MERGE_AFTER_HOUR_MS = 10_000
/** The longest delay of values in the device list. It doubles when a process ends before it has written. */
const LIST_EVERY_MS = 6_000

/** Stores checked reports. Receipts of a submission are confirmed only after everything in it is committed. */
export function createWritePath(deps: WritePathDeps): WritePath {
  const counters = newTelemetryCounters()
  let waitingBytes = 0
  let waiters: (() => void)[] = []

  const onSettled = (bytes: number) => {
    waitingBytes -= bytes
    if (waitingBytes > ROOM_BYTES || waiters.length === 0) return
    const released = waiters
    waiters = []
    for (const release of released) release()
  }
  const devicesNow = new DevicesNow()
  const laneDeps = {
    rules: NO_RULES,
    isContested: () => false,
    onAlerts: () => undefined,
    onLateReadings: () => undefined,
    ...deps,
    counters,
    devicesNow,
    onSettled,
  }
  const { pool, lanePools = Array.from({ length: deps.lanes ?? DEFAULT_LANES }, () => pool) } = deps
  const lanes = lanePools.map((lanePool) => new IngestShard({ ...laneDeps, lanePool }))
  const laneOf = (deviceId: DeviceId) => lanes[deviceId % lanes.length] as IngestShard
  let isStopping = false
  let merging = Promise.resolve()
  const isOver = () => isStopping
  const mergeState = (merge: MergeDeps = { isOver }, of = () => lanes) => {
    const merged = merging.then(async () => void (await Promise.all(of().map((lane) => lane.mergeState(merge)))))
    merging = merged.catch(() => undefined)
    return merged
  }
  const logUnmerged = (error: unknown) => deps.log('The current state could not be merged; it is tried again.', error)
  let mergeTimer: NodeJS.Timeout | undefined
  const mergeNext = () => {
    // The merge runs soon after the end of each hour, because an hour is rolled up when its last dirty range is merged.
    mergeTimer = setTimeout(
      async () => {
        await mergeState().catch(logUnmerged)
        if (!isStopping) mergeNext()
      },
      MERGE_EVERY_MS - ((Date.now() - MERGE_AFTER_HOUR_MS) % MERGE_EVERY_MS),
    ).unref()
  }
  mergeNext()
  const lateTimer = setInterval(() => {
    const late = () => lanes.filter((lane) => lane.hasLateReadings())
    if (late().length > 0) mergeState({ isOver, isLateOnly: true }, late).catch(logUnmerged)
  }, LATE_EVERY_MS).unref()
  let listing = Promise.resolve()
  const list = () => {
    listing = listing
      .then(() => devicesNow.write(pool))
      .then((changed) => {
        if (changed.length > 0) deps.onStored(new Set(changed), new Set(changed))
      })
      .catch((error: unknown) => deps.log('What lists show of devices could not be written; it is tried again.', error))
    return listing
  }
  const listTimer = setInterval(list, LIST_EVERY_MS).unref()

  return {
    counters,
    retentionDays: deps.retentionDays,
    get isFull() {
      return waitingBytes > FULL_BYTES
    },
    get trouble() {
      return lanes
        .flatMap(({ trouble }) => trouble ?? [])
        .sort((a, b) => a.sinceMs - b.sinceMs)
        .at(0)
    },
    get waiting() {
      const of = lanes.map(({ waiting }) => waiting)
      const sinceMs = Math.min(...of.map((lane) => lane.sinceMs))
      return {
        packets: of.reduce((all, lane) => all + lane.packets, 0),
        bytes: waitingBytes,
        oldestMs: sinceMs === Number.POSITIVE_INFINITY ? 0 : performance.now() - sinceMs,
      }
    },
    submit(submission) {
      const bytes = submission.bytes + BYTES_OF_A_PACKET
      waitingBytes += bytes
      laneOf(submission.deviceId).submit({ ...submission, bytes })
    },
    whenRoom(callback) {
      waiters.push(callback)
    },
    forget(deviceId) {
      laneOf(deviceId).forget(deviceId)
    },
    forgetAlerts(deviceId) {
      laneOf(deviceId).forgetAlerts(deviceId)
    },
    between(deviceId, work) {
      return laneOf(deviceId).between(work)
    },
    mergeState: () => mergeState(),
    async stop(longestMs) {
      isStopping = true
      clearTimeout(mergeTimer)
      clearInterval(lateTimer)
      clearInterval(listTimer)
      const endsAt = performance.now() + longestMs
      const isTooLate = () => performance.now() > endsAt
      // Whatever is not merged by then is merged by the next process, from the stored dirty ranges.
      const drained = Promise.all(lanes.map((lane) => lane.drained()))
        .then(list)
        .then(() => mergeState({ isOver: isTooLate, isHurried: true }))
      // A shard may also hang in a connection attempt that cannot be cancelled.
      await Promise.race([drained.catch(() => undefined), sleep(longestMs, undefined, { ref: false })])
      for (const lane of lanes) lane.abandon()
    },
  }
}
