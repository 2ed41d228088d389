import type { DeviceId } from '#domain/ids.ts'
import { CopyBuffer } from '#server/db/copying/CopyBuffer.ts'
import type { Step } from '#server/db/copying/pipelinedTransaction.ts'
import type { AlertEvaluator } from '#server/telemetry/alerts/evaluate/AlertEvaluator.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { LOOK_LAYOUT, ROW_LAYOUTS, type RowLayout, rowLayoutFor } from '#server/telemetry/ingress/rowLayout.ts'
import type { DeviceSeenReports, SeenReports } from '#server/telemetry/ingress/seenReports.ts'
import type { CheckedMessage, CheckedReport, Rejection } from '#server/telemetry/ingress/submission.ts'
import { type StateMark, type StateMarks, stateMarkStep } from '#server/telemetry/state/StateMarks.ts'
import { Looks } from './looks.ts'
import { isOld, oldReadingSteps } from './oldReadings.ts'
import { type KeptRejection, messageStep, refusalStep, rejectedReportStep, rejectionCountStep } from './otherRows.ts'
import { copyStep, type ReadingRow, rowOf, upsertStep } from './readingRows.ts'
import { turnedSigns } from './verdictSigns.ts'

/** Which reports are copied. Hardly any late report is stored already, unless the device repeats it. */
export type CopiedReports = 'all' | 'newer' | 'none'

export interface Work {
  readonly reports: readonly CheckedReport[]
  readonly messages: readonly CheckedMessage[]
  readonly keptRejections: readonly KeptRejection[]
  readonly rejections: readonly Rejection[]
}

export interface Batch {
  readonly steps: readonly Step[]
  /** The devices whose current verdict may change because of this batch. */
  readonly turned: ReadonlySet<DeviceId>
  /** The caller calls this after the commit. */
  remember(): void
  /** The caller calls this after a failure. The buffers are dropped, because they may still be in use by the socket. */
  abandon(): void
}

/** Assembles batches. The buffers of copied rows are reused from batch to batch. */
export class BatchAssembler {
  readonly #tracks: DeviceSeenReports
  readonly #alerts: AlertEvaluator
  readonly #stateMarks: StateMarks
  readonly #buffers = new Map<RowLayout, CopyBuffer>()

  constructor(tracks: DeviceSeenReports, alerts: AlertEvaluator, stateMarks: StateMarks) {
    this.#tracks = tracks
    this.#alerts = alerts
    this.#stateMarks = stateMarks
  }

  /**
   * @param copying decides which reports use COPY, which fails as a whole on one that is already stored
   * @param session of the connection that will run the batch
   */
  assemble(work: Work, copying: CopiedReports, session: number): Batch {
    const steps: Step[] = work.reports.length > 0 ? this.#alerts.firstSteps() : []
    const stateMarks: StateMark[] = []
    const watermarks: [SeenReports, number][] = []
    const signs: [SeenReports, number][] = []
    const copied = new Map<RowLayout, ReadingRow[]>()
    const upserted = new Map<RowLayout, ReadingRow[]>()
    const old = new Map<EventLayout, CheckedReport[]>()
    const looks = new Looks()
    for (const [track, inOrderOfArrival] of this.#byTrack(work.reports)) {
      const oldestFirst = mergedOldestFirst(inOrderOfArrival)
      const believed = oldestFirst.filter(({ isBelieved }) => isBelieved)
      this.#alerts.look(track, believed)
      const newest = believed.at(-1)
      if (newest !== undefined) watermarks.push([track, newest.atMs])
      const turned = turnedSigns(track.signs, track.layout, believed, track.watermarkMs)
      if (turned !== undefined) signs.push([track, turned])
      this.#stateMarks.note(stateMarks, track, believed, session)
      const newerThanMs = newerThan(copying, track.watermarkMs)
      for (const report of oldestFirst) {
        if (isOld(report)) listOf(old, track.layout).push(report)
        else if (!looks.add(report)) {
          listOf(report.atMs > newerThanMs ? copied : upserted, rowLayoutFor(track.layout)).push(rowOf(report))
        }
      }
    }
    const lookRows = looks.rows()
    for (const look of lookRows) {
      const { newestLookMs } = this.#tracks.device(look.deviceId)
      // What a device kept comes part by part, so of its looks hardly any is new after the first part.
      const isNew = look.atMs > Math.max(newerThan(copying, newestLookMs), newestLookMs ?? Number.NEGATIVE_INFINITY)
      listOf(isNew ? copied : upserted, LOOK_LAYOUT).push(look)
    }
    for (const layout of ROW_LAYOUTS) {
      const copies = copied.get(layout)
      if (copies !== undefined) steps.push(copyStep(layout, copies, this.#bufferOf(layout)))
      const upserts = upserted.get(layout)
      if (upserts !== undefined) steps.push(upsertStep(layout, upserts))
    }
    steps.push(...oldReadingSteps(old))
    if (stateMarks.length > 0) steps.push(stateMarkStep(stateMarks))
    steps.push(...this.#alerts.steps())
    if (work.messages.length > 0) steps.push(messageStep(work.messages))
    if (work.keptRejections.length > 0) steps.push(rejectedReportStep(work.keptRejections))
    if (work.rejections.length > 0) steps.push(rejectionCountStep(work.rejections), refusalStep(work.rejections))
    return {
      steps,
      turned: new Set(signs.map(([{ deviceId }]) => deviceId)),
      remember: () => {
        this.#stateMarks.remember(stateMarks)
        for (const [track, ms] of watermarks) track.watermarkMs = Math.max(track.watermarkMs ?? ms, ms)
        for (const [track, turned] of signs) track.signs = turned
        for (const look of lookRows) this.#tracks.device(look.deviceId).rememberLook(look)
      },
      abandon: () => {
        this.#alerts.abandon()
        for (const buffer of this.#buffers.values()) buffer.abandon()
      },
    }
  }

  /**
   * Sorts the same way in every process, so that two processes never wait for each other's rows in a circle. Nothing
   * here outlives the batch: one that cannot be assembled is assembled again from all of its reports.
   */
  #byTrack(reports: readonly CheckedReport[]): [SeenReports, CheckedReport[]][] {
    const byTrack = new Map<SeenReports, CheckedReport[]>()
    for (const report of reports) {
      const track = this.#tracks.of(report)
      const known = byTrack.get(track)
      if (known === undefined) byTrack.set(track, [report])
      else known.push(report)
    }
    return [...byTrack].sort(
      ([a], [b]) => a.deviceId - b.deviceId || a.layout.firstSlot - b.layout.firstSlot || a.number - b.number,
    )
  }

  #bufferOf(layout: RowLayout): CopyBuffer {
    let buffer = this.#buffers.get(layout)
    if (buffer === undefined) {
      buffer = new CopyBuffer()
      this.#buffers.set(layout, buffer)
    }
    return buffer
  }
}

function listOf<Layout, Item>(lists: Map<Layout, Item[]>, layout: Layout): Item[] {
  let list = lists.get(layout)
  if (list === undefined) {
    list = []
    lists.set(layout, list)
  }
  return list
}

function newerThan(copied: CopiedReports, watermarkMs = Number.POSITIVE_INFINITY): number {
  if (copied === 'all') return Number.NEGATIVE_INFINITY
  return copied === 'newer' ? watermarkMs : Number.POSITIVE_INFINITY
}

/** Sorts the reports of one component by time and merges those of one instant into the first that arrived. */
function mergedOldestFirst(inOrderOfArrival: CheckedReport[]): CheckedReport[] {
  let isAscending = true
  for (let index = 1; index < inOrderOfArrival.length; index++) {
    if (!((inOrderOfArrival[index - 1]?.atMs ?? 0) < (inOrderOfArrival[index]?.atMs ?? 0))) {
      isAscending = false
      break
    }
  }
  if (isAscending) return inOrderOfArrival
  const byTime = new Map<number, CheckedReport>()
  for (const report of inOrderOfArrival) {
    const first = byTime.get(report.atMs)
    byTime.set(report.atMs, first === undefined ? report : merged(first, report))
  }
  return [...byTime.values()].sort((a, b) => a.atMs - b.atMs)
}

function merged(first: CheckedReport, later: CheckedReport): CheckedReport {
  return {
    ...first,
    numbers: first.numbers.map((value, index) => (Number.isNaN(value) ? (later.numbers[index] ?? value) : value)),
    texts:
      later.texts === undefined ? first.texts : Array.from(later.texts, (text, index) => first.texts?.[index] ?? text),
    extra:
      first.extra === undefined || later.extra === undefined
        ? (first.extra ?? later.extra)
        : Object.fromEntries([...Object.entries(later.extra), ...Object.entries(first.extra)]),
  }
}

/** Splits work in two, to find the part that the database refuses. */
export function halves(work: Work): [Work, Work] {
  const half = Math.ceil(work.reports.length / 2)
  const halfMessages = work.reports.length > 0 ? 0 : Math.ceil(work.messages.length / 2)
  const hasMore = work.reports.length + work.messages.length > 0
  const halfKept = hasMore ? 0 : Math.ceil(work.keptRejections.length / 2)
  return [
    {
      reports: work.reports.slice(0, half),
      messages: work.messages.slice(0, halfMessages),
      keptRejections: work.keptRejections.slice(0, halfKept),
      rejections: hasMore ? [] : work.rejections,
    },
    {
      reports: work.reports.slice(half),
      messages: work.messages.slice(halfMessages),
      keptRejections: work.keptRejections.slice(halfKept),
      rejections: hasMore ? work.rejections : [],
    },
  ]
}

export function itemsOf(work: Work): number {
  return work.reports.length + work.messages.length + work.keptRejections.length + (work.rejections.length > 0 ? 1 : 0)
}

/** @returns the same work when it has nothing of the devices */
export function withoutDevices(work: Work, devices: ReadonlySet<DeviceId>): Work {
  if (devices.size === 0) return work
  const isOther = ({ deviceId }: { readonly deviceId: DeviceId }) => !devices.has(deviceId)
  return {
    reports: work.reports.filter(isOther),
    messages: work.messages.filter(isOther),
    keptRejections: work.keptRejections.filter(isOther),
    rejections: work.rejections.filter(isOther),
  }
}

export function devicesOf(work: Work): Set<DeviceId> {
  const devices = new Set<DeviceId>()
  for (const { deviceId } of work.reports) devices.add(deviceId)
  for (const { deviceId } of work.rejections) devices.add(deviceId)
  return devices
}
