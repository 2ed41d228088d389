import { deviceMessage } from '#contract/mqtt/report.ts'
import { readDeviceTime } from './deviceTime.ts'
import { type Door, isStorable, readBySchema, rejected } from './payloadJson.ts'
import { BELIEVED_AHEAD_MS } from './reportCheck.ts'
import type { CheckedMessage, Rejection } from './submission.ts'

/** A message of the device's own log; from too far in the future it is kept at receive time. */
export function checkMessage(door: Door, payload: Buffer): { message: CheckedMessage } | { rejection: Rejection } {
  const read = readBySchema(door, deviceMessage, payload)
  if ('rejection' in read) return read
  const { at, msg } = read.value
  const atMs = readDeviceTime(at)
  if (Number.isNaN(atMs)) return { rejection: rejected(door, 'bad_time', '"at" is no moment.', payload) }
  if (atMs < door.oldestMs) {
    return { rejection: rejected(door, 'too_old', `${at} is older than what is kept.`, payload) }
  }
  if (!isStorable(msg))
    return { rejection: rejected(door, 'bad_value', 'msg holds characters that are no text.', payload) }
  const isBelieved = atMs <= door.nowMs + BELIEVED_AHEAD_MS
  return {
    message: { deviceId: door.deviceId, atMs: isBelieved ? atMs : door.nowMs, receivedAtMs: door.nowMs, msg },
  }
}
