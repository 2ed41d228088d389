import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { runPipelined } from '#server/db/copying/pipelinedTransaction.ts'
import { isRefusalOfData } from '#server/db/queries/refusalOfData.ts'
import { traced } from '#server/metrics/tracing.ts'
import type { ConditionCache } from '#server/telemetry/alerts/alertRules.ts'
import { AlertEvaluator } from '#server/telemetry/alerts/evaluate/AlertEvaluator.ts'
import { DeviceClocks } from '#server/telemetry/ingress/DeviceClocks.ts'
import { DeviceSeenReports } from '#server/telemetry/ingress/seenReports.ts'
import { bytesHeld, type Rejection, type Submission } from '#server/telemetry/ingress/submission.ts'
import type { TelemetryCounters } from '#server/telemetry/ingress/telemetryCounters.ts'
import type { DevicesNow } from '#server/telemetry/state/deviceNow.ts'
import { markSessionOf } from '#server/telemetry/state/markSession.ts'
import { StateMarks } from '#server/telemetry/state/StateMarks.ts'
import type { AwayDevices } from './AwayDevices.ts'
import { BatchPause } from './BatchPause.ts'
import {
  type Batch,
  BatchAssembler,
  type CopiedReports,
  devicesOf,
  halves,
  itemsOf,
  type Work,
  withoutDevices,
} from './batch.ts'
import { IngestQueue } from './IngestQueue.ts'
import { kept } from './otherRows.ts'
import { RejectionQuota } from './rejectionQuota.ts'
import { countStored, countWaits } from './storedCounts.ts'
import { isStale, refusedItem } from './storeFailures.ts'
import { type MergeDeps, UnmergedRounds } from './UnmergedRounds.ts'

/** When one device repeats a report, others most likely do too, because they lost their connection together. */
const REPEATS_MS = 2_000
const FIRST_PAUSE_MS = 50
/** A device has sent everything it kept during an outage after this long without a late reading. */
const LATE_QUIET_MS = 3_000
const LONGEST_PAUSE_MS = 2000

/** @param turned those of the devices whose current verdict may change by what they reported */
export type OnStored = (devices: ReadonlySet<DeviceId>, turned: ReadonlySet<DeviceId>) => void

export interface IngestShardDeps {
  readonly lanePool: pg.Pool
  readonly pool: pg.Pool
  readonly counters: TelemetryCounters
  readonly devicesNow: DevicesNow
  readonly away: AwayDevices
  /** This is called after the commit, with the devices whose state may have changed. */
  readonly onStored: OnStored
  readonly onSettled: (bytes: number) => void
  readonly rules: ConditionCache
  readonly isContested: (deviceId: DeviceId) => boolean
  /** This is called after the commit, with the devices whose alerts changed. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
  /** This is called after the commit of readings that arrived too late for their conditions. */
  readonly onLateReadings: (devices: ReadonlySet<DeviceId>) => void
  readonly log: (sentence: string, error: unknown) => void
}

interface IngestTask {
  readonly run: () => Promise<void>
  readonly cancel: (reason: Error) => void
}

/**
 * Stores everything of some devices, in order. It takes what arrived while its last batch ran and writes it in one
 * transaction. Receipts are confirmed only after the commit; without a database, batches and receipts wait.
 */
export class IngestShard {
  readonly #deps: IngestShardDeps
  readonly #tracks = new DeviceSeenReports()
  readonly #clocks = new DeviceClocks()
  readonly #alerts: AlertEvaluator
  readonly #stateMarks = new StateMarks()
  readonly #unmerged: UnmergedRounds
  readonly #assembler: BatchAssembler
  readonly #stopping = new AbortController()
  readonly #quota = new RejectionQuota()
  readonly #queue = new IngestQueue((report) => this.#alerts.seemsToChange(report))
  readonly #pause = new BatchPause()
  #taken: readonly Submission[] = []
  #tasks: IngestTask[] = []
  #turned = new Set<DeviceId>()
  /** Devices of the current batch that were left out, because their worker is away. */
  #leftOut = new Set<DeviceId>()
  #running: Promise<void> | undefined
  #repeatsUntilMs = 0
  #trouble: { readonly sinceMs: number; readonly error: Error } | undefined

  constructor(deps: IngestShardDeps) {
    this.#deps = deps
    this.#unmerged = new UnmergedRounds(deps.pool, deps.away)
    this.#alerts = new AlertEvaluator(deps.rules, deps.isContested)
    this.#assembler = new BatchAssembler(this.#tracks, this.#alerts, this.#stateMarks)
  }

  /** Why the newest attempt to store failed, and since when attempts have been failing; undefined when all is well. */
  get trouble() {
    return this.#trouble
  }

  get waiting() {
    // A batch that overtook others is younger than what it left in the queue.
    const [ofBatch, ofQueue] = [this.#taken[0]?.arrivedAtMs, this.#queue.oldestMs]
    return { packets: this.#taken.length + this.#queue.length, sinceMs: Math.min(ofBatch ?? ofQueue, ofQueue) }
  }

  submit(submission: Submission): void {
    if (!submission.isOurClockDoubted) this.#clocks.judge(submission.reports)
    for (const report of submission.reports) {
      if (!report.isBelieved) report.atMs = this.#tracks.device(report.deviceId).nextMarkedMs(report.receivedAtMs)
    }
    this.#queue.push(submission)
    if (this.#hasEnough()) this.#pause.end()
    // The shard waits for the next event-loop turn, because everything that one socket read brings belongs in one
    // batch.
    this.#running ??= nextTurn().then(() => this.#run())
  }

  forget(deviceId: DeviceId): void {
    this.#tracks.forget(deviceId)
    this.#alerts.forget(deviceId)
  }

  forgetAlerts(deviceId: DeviceId): void {
    this.#alerts.forget(deviceId)
  }

  /** Runs work between two batches, so that nothing of the shard's devices is stored meanwhile. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#tasks.push({ run: () => work().then(resolve, reject), cancel: reject })
      this.#pause.end()
      this.#running ??= this.#run()
    })
  }

  /** Whether readings of past hours arrived and then stopped arriving for a while. */
  hasLateReadings(): boolean {
    return this.#stateMarks.hasLateSince(LATE_QUIET_MS)
  }

  /** Merges stored readings into the current state. If it ends early, the next merge or process does the rest. */
  async mergeState(merge: MergeDeps): Promise<void> {
    const { isLateOnly = false } = merge
    this.#unmerged.add(
      await this.between(async () => (isLateOnly ? this.#stateMarks.turnLate() : this.#stateMarks.turn())),
    )
    await this.#unmerged.merge(merge, this.#stopping.signal)
  }

  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Gives up what waits for an unreachable database. None of it was acknowledged, so the devices send it again. */
  abandon(): void {
    this.#stopping.abort()
    this.#pause.end()
    this.#queue.clear()
    for (const { cancel } of this.#tasks.splice(0)) cancel(new Error('The lane was stopped.'))
  }

  async #run(): Promise<void> {
    while (this.#queue.length + this.#tasks.length > 0 && !this.#stopping.signal.aborted) {
      await this.#tasks.shift()?.run()
      if (this.#queue.length === 0) continue
      const taken = this.#queue.take()
      const work = this.#workOf(taken)
      const beganAt = performance.now()
      this.#taken = taken
      if (!(await this.#writeUntilStored(work))) break
      this.#deps.counters.batch.observe((performance.now() - beganAt) / 1000)
      this.#taken = []
      this.#settle(taken, work)
      await this.#gather(taken.length, beganAt)
    }
    this.#running = undefined
  }

  /** Gathers reports after a batch, until the next one is worth its cost or somebody waits for it. */
  async #gather(packets: number, beganAt: number): Promise<void> {
    this.#pause.noteBatch(packets)
    if (this.#hasEnough() || this.#stopping.signal.aborted) return
    await this.#pause.sinceBatch(beganAt)
    // What else the same socket read brings belongs in this batch.
    await nextTurn()
  }

  #hasEnough(): boolean {
    return this.#queue.hasUrgent || this.#tasks.length > 0 || this.#pause.isEnough(this.#queue.length)
  }

  #settle(taken: readonly Submission[], work: Work): void {
    let bytes = 0
    const leftOut = this.#leftOut
    if (leftOut.size > 0) this.#leftOut = new Set()
    const stored = leftOut.size === 0 ? taken : taken.filter(({ deviceId }) => !leftOut.has(deviceId))
    for (const { receipt, packetToken } of stored) receipt?.stored(packetToken)
    for (const submission of taken) {
      bytes += bytesHeld(submission)
      const { deviceId, receipt } = submission
      if (receipt !== undefined && leftOut.has(deviceId)) receipt.hasHeld = true
    }
    const { counters, onStored, onSettled, log } = this.#deps
    counters.packetsStored += stored.length
    countWaits(counters, stored)
    onSettled(bytes)
    const devices = devicesOf(withoutDevices(work, leftOut))
    if (devices.size === 0) return
    const turned = this.#turned
    if (turned.size > 0) this.#turned = new Set()
    try {
      onStored(devices, turned)
    } catch (error) {
      // A listener that fails must not stop the shard.
      log('Somebody who was told of stored reports failed.', error)
    }
  }

  #workOf(submissions: readonly Submission[]): Work {
    const reports = []
    const messages = []
    const rejections: Rejection[] = []
    for (const submission of submissions) {
      for (const report of submission.reports) reports.push(report)
      for (const message of submission.messages) messages.push(message)
      for (const rejection of submission.rejections) rejections.push(rejection)
    }
    // A device whose reports are refused gets another verdict from then on.
    const keptRejections = this.#quota.keptOf(rejections, (deviceId) => this.#turned.add(deviceId))
    return { reports, messages, rejections, keptRejections }
  }

  /** @returns false when the shard was stopped before the work was stored */
  async #writeUntilStored(all: Work): Promise<boolean> {
    let work = await this.#withoutAway(all)
    let copying: CopiedReports = performance.now() < this.#repeatsUntilMs ? 'newer' : 'all'
    for (
      let pauseMs = FIRST_PAUSE_MS;
      !this.#stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      if (itemsOf(work) === 0) return true
      const error = await traced('store reports', aboutBatch(work), () => this.#write(work, copying))
      if (error === undefined) {
        this.#trouble = undefined
        return true
      }
      this.#deps.counters.batchesFailed++
      if (isStale(error)) {
        // Another process changed the conditions. They are read again, and the batch is evaluated again.
        await this.#deps.rules.refresh().catch(() => undefined)
        continue
      }
      if (isRefusalOfData(error)) {
        // A report that was believed to be new is already stored, so the next attempt copies less.
        if (copying === 'none') return this.#writeApart(work, error)
        if (copying === 'all') this.#repeatsUntilMs = performance.now() + REPEATS_MS
        copying = copying === 'all' ? 'newer' : 'none'
        continue
      }
      copying = 'none'
      this.#trouble = { sinceMs: this.#trouble?.sinceMs ?? performance.now(), error }
      this.#deps.away.noteFailure(error, this.#trouble.sinceMs)
      const rest = await this.#withoutAway(work)
      const isLess = rest !== work
      work = rest
      if (isLess) continue
      this.#deps.log('The database could not store a batch of reports; it is tried again.', error)
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    }
    return false
  }

  /** Devices keep what is left out here, because it is not acknowledged. */
  async #withoutAway(work: Work): Promise<Work> {
    if (!this.#deps.away.hasSome) return work
    const devices = devicesOf(work)
    for (const { deviceId } of work.messages) devices.add(deviceId)
    const away = await this.#deps.away.among(devices)
    for (const deviceId of away) this.#leftOut.add(deviceId)
    return withoutDevices(work, away)
  }

  /** Halves the work until the item that the database refuses is alone, so that no neighbour is lost with it. */
  async #writeApart(work: Work, error: Error): Promise<boolean> {
    if (itemsOf(work) > 1) {
      for (const half of halves(work)) {
        if (itemsOf(half) > 0 && !(await this.#writeUntilStored(half))) return false
      }
      return true
    }
    this.#deps.log('The database refuses a report for what it holds; it is kept among the rejected ones.', error)
    const rejections = refusedItem(work, error)
    if (rejections.length === 0) return true
    const keptRejections = rejections.map(kept)
    return this.#writeUntilStored({ reports: [], messages: [], rejections, keptRejections })
  }

  /** @returns the error, after which nothing is stored (or perhaps all, when the connection was lost) */
  async #write(work: Work, copying: CopiedReports): Promise<Error | undefined> {
    let batch: Batch | undefined
    let connection: pg.PoolClient | undefined
    let failure: Error | undefined
    try {
      connection = await this.#deps.lanePool.connect()
      await this.#alerts.prepare(connection, work.reports)
      batch = this.#assembler.assemble(work, copying, await markSessionOf(connection))
      await runPipelined(connection, batch.steps)
      batch.remember()
      for (const deviceId of batch.turned) this.#turned.add(deviceId)
      this.#deps.devicesNow.note(work.reports)
      countStored(this.#deps.counters, work)
      this.#tellAlerts()
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      if (isStale(failure)) this.#alerts.forgetPending()
      if (batch === undefined) this.#alerts.abandon()
      batch?.abandon()
    }
    connection?.release(failure !== undefined && !isRefusalOfData(failure) && !isStale(failure))
    return failure
  }

  #tellAlerts(): void {
    const { changed, late } = this.#alerts.remember()
    try {
      if (changed.size > 0) this.#deps.onAlerts(changed)
      if (late.size > 0) this.#deps.onLateReadings(late)
    } catch (error) {
      this.#deps.log('Somebody who was told of alerts failed.', error)
    }
  }
}

const aboutBatch = ({ reports }: Work) => ({ isRoot: true, attributes: { 'wayside.reports': reports.length } })

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
