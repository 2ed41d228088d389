import type { DeviceId } from '#domain/ids.ts'
import type { EventLayout } from './eventLayout.ts'

/** A report that passed the checks. Times are UTC milliseconds; a fraction stands for microseconds. */
export interface CheckedReport {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  /** The component number, from 1. */
  readonly number: number
  /** The time it is stored at: device time, corrected time, or receive time when the real time is unknown. */
  atMs: number
  /** The time that the device's clock said, where it differs from `atMs`. */
  claimedAtMs: number | undefined
  /** Whether `atMs` is when it was measured. Otherwise the report changes no state, alert or roll-up. */
  isBelieved: boolean
  /** How far this report shows the device's clock ahead of ours, 0 where it is right; undefined if it does not say. */
  clockErrorMs: number | undefined
  readonly receivedAtMs: number
  /** Values by index of `layout.fields`. NaN means absent. */
  readonly numbers: number[]
  /** Texts by index of `layout.fields`. Most reports have none. */
  texts: (string | undefined)[] | undefined
  valueCount: number
  /** The fields that the catalogue does not know. */
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

/** A report or packet that can never be stored. It is acknowledged, or the device would send it for ever. */
export interface Rejection {
  readonly deviceId: DeviceId
  readonly reason: RejectionReason
  readonly detail: string
  /** The topic below the root of the device. */
  readonly topic: string
  /** The first bytes of the payload, at most `KEPT_PAYLOAD_BYTES`. */
  readonly payload: Buffer
  readonly receivedAtMs: number
}

/** This is notified once, after everything of the packet is committed. */
export interface Receipt {
  stored(packetToken: number): void
  /** A report was neither stored nor refused, so the device must send it again on its next connection. */
  hasHeld?: boolean
}

export interface Submission {
  readonly deviceId: DeviceId
  readonly reports: readonly CheckedReport[]
  readonly messages: readonly CheckedMessage[]
  readonly rejections: readonly Rejection[]
  /** The payload's bytes. */
  readonly bytes: number
  /** The `performance.now()` at which it was read from its connection. */
  readonly arrivedAtMs: number
  readonly receipt: Receipt | undefined
  readonly packetToken: number
  /** Set when our own clock may be wrong, so that the device's clock cannot be judged by it. */
  readonly isOurClockDoubted?: boolean
}

/** A parsed report takes several hundred bytes, even when its payload is a few bytes long. */
const BYTES_OF_A_PACKET = 512

/** What back-pressure counts. */
export const bytesHeld = ({ bytes }: Submission): number => bytes + BYTES_OF_A_PACKET

export const NO_REPORTS: readonly CheckedReport[] = []
export const NO_MESSAGES: readonly CheckedMessage[] = []
export const NO_REJECTIONS: readonly Rejection[] = []

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

export const KEPT_PAYLOAD_BYTES = 4096
