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

/** Payload bytes that may wait for the database; beyond it the gateway stops reading. */
const FULL_BYTES = 32 * 1024 * 1024
const ROOM_BYTES = FULL_BYTES / 2
/** Parsed, a report of a few bytes takes several hundred. */
const BYTES_OF_A_PACKET = 512

export interface WritePathDeps {
  /** As the application; every lane without a pool takes one connection while it writes. */
  readonly pool: pg.Pool
  /** Of one connection for each lane: marks are a connection's, and a lane that had several would mark all anew with each. */
  readonly lanePools?: readonly pg.Pool[]
  /** Transactions side by side; a device always belongs to the same one. */
  readonly lanes?: number
  readonly retentionDays: number
  /** After each commit, with the devices that reported. */
  readonly onStored: OnStored
  /** No conditions when left out. */
  readonly rules?: ConditionCache
  /** Two machines report as this device; none does when left out. */
  readonly isContested?: (deviceId: DeviceId) => boolean
  /** After each commit that changed alerts, with their devices. */
  readonly onAlerts?: (devices: ReadonlySet<DeviceId>) => void
  /** After each commit of readings that came late for their conditions. */
  readonly onLateReadings?: (devices: ReadonlySet<DeviceId>) => void
  readonly log: (sentence: string, error: unknown) => void
}

export interface WritePath {
  readonly counters: TelemetryCounters
  readonly retentionDays: number
  /** Whether senders should wait until `whenRoom`. */
  readonly isFull: boolean
  /** Why reports are not stored now, and since when it is so; of the lane that waits longest. */
  readonly trouble: IngestShard['trouble']
  readonly waiting: WaitingReports
  submit(submission: Submission): void
  /** Calls back once, as soon as there is room again. */
  whenRoom(callback: () => void): void
  /** The device is gone; what is remembered of it only saved work. */
  forget(deviceId: DeviceId): void
  /** Its conditions or their states were changed by somebody else. */
  forgetAlerts(deviceId: DeviceId): void
  /** Work during which nothing of the device is stored by this process. */
  between<Result>(deviceId: DeviceId, work: () => Promise<Result>): Promise<Result>
  /** Merges what was stored so far into the current state, as it is done by itself every few minutes. */
  mergeState(): Promise<void>
  /** Ends when everything is stored, or after the time is over; what then still waits was never acknowledged. */
  stop(longestMs: number): Promise<void>
}

const DEFAULT_LANES = 2
/** A component is merged into its stored state so often at most. */
const MERGE_EVERY_MS = 30 * 60_000
/** What came late is in the charts of days that are no longer kept raw, and in dark minutes, soon after. */
const LATE_EVERY_MS = 2_000
/** By then most devices have told the end of an hour. */
const MERGE_AFTER_HOUR_MS = 10_000
/** How old a list of many devices may be, with as much again for a process that ended before it had written. */
const LIST_EVERY_MS = 6_000

/**
 * Makes committed rows of checked reports. Receipts of a submission are told only after the commit of everything in it.
 */
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
    // Soon after the end of each hour, which is worked out when its last mark is merged.
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
      // What is not merged by then is merged from its marks by whoever runs next.
      const drained = Promise.all(lanes.map((lane) => lane.drained()))
        .then(list)
        .then(() => mergeState({ isOver: isTooLate, isHurried: true }))
      // A lane may also hang in a connect that nobody can call off.
      await Promise.race([drained.catch(() => undefined), sleep(longestMs, undefined, { ref: false })])
      for (const lane of lanes) lane.abandon()
    },
  }
}
