import { deviceMessage } from '#contract/mqtt/report.ts'
import { readRfc3339 } from '#domain/units/rfc3339.ts'
import { isBelievable } from './deviceTime.ts'
import { type CheckContext, isStorable, readBySchema, rejected } from './payloadJson.ts'
import type { CheckedMessage, Rejection } from './submission.ts'

/** Checks a message of the device's own log. One with an implausible time is kept at receive time. */
export function checkMessage(
  door: CheckContext,
  payload: Buffer,
): { message: CheckedMessage } | { rejection: Rejection } {
  const read = readBySchema(door, deviceMessage, payload)
  if ('rejection' in read) return read
  const { at, msg } = read.value
  const atMs = readRfc3339(at)
  if (!isStorable(msg))
    return { rejection: rejected(door, 'bad_value', 'msg holds characters that are no text.', payload) }
  const isBelieved = isBelievable(door, atMs)
  return {
    message: { deviceId: door.deviceId, atMs: isBelieved ? atMs : door.nowMs, receivedAtMs: door.nowMs, msg },
  }
}
