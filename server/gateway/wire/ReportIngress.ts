import { readInboundTopic } from '#contract/mqtt/topics.ts'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { firstKeptDayMs } from '#server/db/partitions/partitions.ts'
import { checkReply, type DeviceReply } from '#server/gateway/commands/replyCheck.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { checkMessage } from '#server/telemetry/ingress/messageCheck.ts'
import { type CheckContext, rejected, rejection, tooLarge } from '#server/telemetry/ingress/payloadJson.ts'
import { checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import {
  type CheckedReport,
  NO_MESSAGES,
  NO_REJECTIONS,
  NO_REPORTS,
  type Receipt,
  type Rejection,
  type Submission,
} from '#server/telemetry/ingress/submission.ts'

interface EventsTopic {
  readonly layout: EventLayout
  readonly number: number
}

/** The origin of a packet, and what waits for its acknowledgement. */
export interface Arrival {
  readonly deviceId: DeviceId
  /** The topic below the root of the device. */
  readonly topic: string
  readonly receipt: Receipt | undefined
  readonly packetToken: number
  /** The `performance.now()` of its arrival. */
  readonly arrivedAtMs: number
}

export interface IngressClock {
  readonly now: () => Date
  /** The days that have partitions, while the clock may be wrong; undefined when it is right. */
  readonly keptDays: () => { readonly fromMs: number; readonly toMs: number } | undefined
}

export interface ReportIngressDeps {
  readonly retentionDays: number
  readonly clock: IngressClock
  readonly onReports: (deviceId: DeviceId, reports: readonly CheckedReport[]) => void
  /** Resolves to whether the reply is stored; only then is it acknowledged. */
  readonly onReply: (deviceId: DeviceId, reply: DeviceReply) => Promise<boolean>
}

/** Turns packets below a device's own root into submissions, whatever they contain. */
export class ReportIngress {
  readonly #deps: ReportIngressDeps
  /** Only topics that exist are remembered, so that it stays as short as the catalogue. */
  readonly #eventsTopics = new Map<string, EventsTopic>()
  #oldestMs = 0
  #oldestUntilMs = 0

  constructor(deps: ReportIngressDeps) {
    this.#deps = deps
  }

  /**
   * @returns undefined for a reply, which is stored and acknowledged separately; `held` for what can be judged only
   * when the clock is right. A held packet is not acknowledged, so the device sends it again
   */
  admit(arrival: Arrival, payload: Buffer): Submission | 'held' | undefined {
    const door = this.#door(arrival)
    const judged = this.#judge(arrival, door, payload)
    return judged === undefined || this.#isKept(judged, door) ? judged : 'held'
  }

  /** A day that is missing because of our own wrong clock must not be blamed on the report. */
  #isKept({ reports, messages, rejections }: Submission, { nowMs }: CheckContext): boolean {
    const days = this.#deps.clock.keptDays()
    if (days === undefined) return true
    const isThere = (atMs: number) => atMs >= days.fromMs && atMs < days.toMs
    return [...reports, ...messages].every(({ atMs }) => isThere(atMs)) && (rejections.length === 0 || isThere(nowMs))
  }

  #judge(arrival: Arrival, door: CheckContext, payload: Buffer): Submission | undefined {
    const events = this.#eventsTopics.get(arrival.topic) ?? this.#eventsTopic(arrival.topic)
    if (events !== undefined) {
      const { reports, rejections } = checkReports(door, events.layout, events.number, payload)
      this.#deps.onReports(arrival.deviceId, reports)
      const isOurClockDoubted = this.#deps.clock.keptDays() !== undefined
      return submission(arrival, payload.length, { reports, rejections, isOurClockDoubted })
    }
    return this.#admitOther(arrival, door, payload)
  }

  refuse(arrival: Arrival, payloadBytes: number): Submission | 'held' {
    const door = this.#door(arrival)
    const refused = submission(arrival, 0, { rejections: [rejection(door, tooLarge(payloadBytes), Buffer.alloc(0))] })
    return this.#isKept(refused, door) ? refused : 'held'
  }

  #admitOther(arrival: Arrival, door: CheckContext, payload: Buffer): Submission | undefined {
    const topic = readInboundTopic(arrival.topic)
    if (topic.kind === 'messages') {
      const checked = checkMessage(door, payload)
      return submission(
        arrival,
        payload.length,
        'message' in checked ? { messages: [checked.message] } : { rejections: [checked.rejection] },
      )
    }
    if (topic.kind === 'reply') {
      const checked = checkReply(door, topic.commandId, payload)
      if ('rejection' in checked) return submission(arrival, payload.length, { rejections: [checked.rejection] })
      this.#storeReply(arrival, checked.reply)
      return undefined
    }
    const rejections: Rejection[] = [
      rejected(door, 'unknown_topic', `Nothing is read from "${arrival.topic.slice(0, 200)}".`, payload),
    ]
    return submission(arrival, payload.length, { rejections })
  }

  #storeReply({ deviceId, receipt, packetToken }: Arrival, reply: DeviceReply): void {
    // An unstored reply stays unacknowledged, and the device sends it again when it reconnects.
    this.#deps.onReply(deviceId, reply).then(
      (isStored) => (isStored ? receipt?.stored(packetToken) : undefined),
      () => undefined,
    )
  }

  #eventsTopic(belowRoot: string): EventsTopic | undefined {
    const topic = readInboundTopic(belowRoot)
    const layout = topic.kind === 'events' ? layoutByTypeId(topic.eventTypeId) : undefined
    if (topic.kind !== 'events' || layout === undefined) return undefined
    const events = { layout, number: topic.number }
    this.#eventsTopics.set(belowRoot, events)
    return events
  }

  #door({ deviceId, topic }: Arrival): CheckContext {
    const nowMs = this.#deps.clock.now().getTime()
    // The time can be earlier than the cached hour only when the clock was set back.
    if (nowMs >= this.#oldestUntilMs || nowMs < this.#oldestUntilMs - HOUR_MS) {
      this.#oldestMs = firstKeptDayMs(new Date(nowMs), this.#deps.retentionDays)
      this.#oldestUntilMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
    }
    const oldestMs = Math.min(this.#oldestMs, this.#deps.clock.keptDays()?.fromMs ?? Number.POSITIVE_INFINITY)
    return { deviceId, topic, nowMs, oldestMs }
  }
}

function submission(
  { deviceId, receipt, packetToken, arrivedAtMs }: Arrival,
  bytes: number,
  {
    reports = NO_REPORTS,
    messages = NO_MESSAGES,
    rejections = NO_REJECTIONS,
    isOurClockDoubted = false,
  }: Partial<Submission>,
): Submission {
  const what = { reports, messages, rejections, isOurClockDoubted }
  return { deviceId, ...what, bytes, arrivedAtMs, receipt, packetToken }
}
