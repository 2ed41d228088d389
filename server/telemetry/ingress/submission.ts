import type { DeviceId } from '#domain/ids.ts'
import type { EventLayout } from './eventLayout.ts'

/** One report that passed the door. Times are UTC milliseconds; a fraction stands for microseconds. */
export interface CheckedReport {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  /** Component number, from 1. */
  readonly number: number
  /** Where it is stored: device time, that time corrected, or receive time where nobody knows when it was. */
  atMs: number
  /** What the clock said, where that is not `atMs`. */
  claimedAtMs: number | undefined
  /** Whether `atMs` is when it was measured; else it counts for nothing. */
  isBelieved: boolean
  /** How far the device's clock is ahead of ours by this report, 0 where it is right; undefined: it does not say. */
  clockErrorMs: number | undefined
  readonly receivedAtMs: number
  /** By index of `layout.fields`; NaN is absent. */
  readonly numbers: number[]
  /** By index of `layout.fields`; absent altogether in most reports. */
  texts: (string | undefined)[] | undefined
  /** How many of `numbers` and `texts` there are. */
  valueCount: number
  /** Fields that the catalogue does not know. */
  extra: Readonly<Record<string, number | string | boolean>> | undefined
}

export interface CheckedMessage {
  readonly deviceId: DeviceId
  readonly atMs: number
  readonly receivedAtMs: number
  readonly msg: string
}

export type RejectionReason =
  | 'bad_shape'
  | 'bad_time'
  | 'bad_value'
  | 'not_json'
  | 'not_stored'
  | 'too_large'
  | 'too_many_fields'
  | 'too_many_reports'
  | 'unknown_topic'

export const REJECTION_REASONS: readonly RejectionReason[] = [
  'bad_shape',
  'bad_time',
  'bad_value',
  'not_json',
  'not_stored',
  'too_large',
  'too_many_fields',
  'too_many_reports',
  'unknown_topic',
]

/** A report or packet that can never be stored: acknowledged, counted and kept with its reason. */
export interface Rejection {
  readonly deviceId: DeviceId
  readonly reason: RejectionReason
  /** A sentence for staff that names the field where there is one. */
  readonly detail: string
  /** Below the root of the device. */
  readonly topic: string
  /** The first kilobytes. */
  readonly payload: Buffer
  readonly receivedAtMs: number
}

/** Told once, after the commit that holds everything of the packet. */
export interface Receipt {
  stored(packetToken: number): void
}

/** What one packet of a device holds. */
export interface Submission {
  readonly deviceId: DeviceId
  readonly reports: readonly CheckedReport[]
  readonly messages: readonly CheckedMessage[]
  readonly rejections: readonly Rejection[]
  /** Bytes of its payload: what back-pressure counts. */
  readonly bytes: number
  /** When it was read from its connection, by `performance.now()`. */
  readonly arrivedAtMs: number
  readonly receipt: Receipt | undefined
  readonly packetToken: number
  /** Our own clock may be wrong, so that nothing can be said of the device's. */
  readonly isOurClockDoubted?: boolean
}

export const NO_REPORTS: readonly CheckedReport[] = []
export const NO_MESSAGES: readonly CheckedMessage[] = []
export const NO_REJECTIONS: readonly Rejection[] = []

/** What the server itself has to say among the messages of a device. */
export const serverMessage = (deviceId: DeviceId, msg: string, nowMs: number): Submission => ({
  deviceId,
  reports: NO_REPORTS,
  messages: [{ deviceId, atMs: nowMs, receivedAtMs: nowMs, msg }],
  rejections: NO_REJECTIONS,
  bytes: msg.length,
  arrivedAtMs: performance.now(),
  receipt: undefined,
  packetToken: 0,
})

/** As much of a rejected payload as is kept. */
export const KEPT_PAYLOAD_BYTES = 4096
