import { z } from 'zod'
import { type ClientProgress, clientProgress, clientProgressId } from '#contract/mqtt/client.ts'
import { type CommandReply, commandReply } from '#contract/mqtt/command.ts'
import { DISCOVERY_REPLY_ID, type DiscoveryReport, discoveryReport } from '#contract/mqtt/discovery.ts'
import { DRIVERS_REPLY_ID, type DriverReport, driverReport } from '#contract/mqtt/drivers.ts'
import { type SettingsReply, settingsReply, settingsReplyId } from '#contract/mqtt/settings.ts'
import { type CheckContext, isStorable, readBySchema, rejected } from '#server/telemetry/ingress/payloadJson.ts'
import type { Rejection } from '#server/telemetry/ingress/submission.ts'

/** A device's reply to a command or its settings, or its report about a client update, its drivers or its parts. */
export type DeviceReply =
  | { readonly kind: 'command'; readonly commandId: string; readonly reply: CommandReply }
  | { readonly kind: 'settings'; readonly reply: SettingsReply }
  | { readonly kind: 'client'; readonly progress: ClientProgress }
  | { readonly kind: 'drivers'; readonly told: DriverReport }
  | { readonly kind: 'discovery'; readonly found: DiscoveryReport }

const CLIENT_PREFIX = clientProgressId('')

/** Reads a reply from the topic `replies/{id}`. The id tells what it answers. */
export function checkReply(
  door: CheckContext,
  id: string,
  payload: Buffer,
): { readonly reply: DeviceReply } | { readonly rejection: Rejection } {
  const refuse = (detail: string) => ({ rejection: rejected(door, 'bad_value', detail, payload) })
  const read = readByTopic(door, id, payload)
  if ('rejection' in read) return read
  const { reply } = read
  if (!isStorable(textOf(reply))) return refuse('A reply holds characters that are no text.')
  if (reply.kind === 'client' && clientProgressId(reply.progress.updateId) !== id) {
    return refuse('The update is not that of the topic.')
  }
  if (reply.kind === 'settings' && settingsReplyId(reply.reply.version) !== id) {
    return refuse('The version is not that of the topic.')
  }
  return { reply }
}

function readByTopic(
  door: CheckContext,
  id: string,
  payload: Buffer,
): { readonly reply: DeviceReply } | { readonly rejection: Rejection } {
  if (z.guid().safeParse(id).success) {
    const read = readBySchema(door, commandReply, payload)
    return 'rejection' in read ? read : { reply: { kind: 'command', commandId: id, reply: read.value } }
  }
  if (id.startsWith(CLIENT_PREFIX)) {
    const read = readBySchema(door, clientProgress, payload)
    return 'rejection' in read ? read : { reply: { kind: 'client', progress: read.value } }
  }
  if (id === DRIVERS_REPLY_ID) {
    const read = readBySchema(door, driverReport, payload)
    return 'rejection' in read ? read : { reply: { kind: 'drivers', told: read.value } }
  }
  if (id === DISCOVERY_REPLY_ID) {
    const read = readBySchema(door, discoveryReport, payload)
    return 'rejection' in read ? read : { reply: { kind: 'discovery', found: read.value } }
  }
  const read = readBySchema(door, settingsReply, payload)
  return 'rejection' in read ? read : { reply: { kind: 'settings', reply: read.value } }
}

/** Joins every text of a value, unescaped. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textOf).join(' ')
}
