import { z } from 'zod'
import { type ClientProgress, clientProgress, clientProgressId } from '#contract/mqtt/client.ts'
import { type CommandReply, commandReply } from '#contract/mqtt/command.ts'
import { type SettingsReply, settingsReply, settingsReplyId } from '#contract/mqtt/settings.ts'
import { type Door, isStorable, readJson, rejected } from '#server/telemetry/reportCheck.ts'
import type { Rejection } from '#server/telemetry/submission.ts'

/** What a device says to a command, to its settings, or of an update of its client. */
export type DeviceReply =
  | { readonly kind: 'command'; readonly commandId: string; readonly reply: CommandReply }
  | { readonly kind: 'settings'; readonly reply: SettingsReply }
  | { readonly kind: 'client'; readonly progress: ClientProgress }

const CLIENT_PREFIX = clientProgressId('')

/** Reads a reply from the topic `replies/{id}`; the id tells what it answers. */
export function checkReply(
  door: Door,
  id: string,
  payload: Buffer,
): { readonly reply: DeviceReply } | { readonly rejection: Rejection } {
  const json = readJson(door, payload)
  if ('rejection' in json) return json
  const refuse = (reason: 'bad_shape' | 'bad_value', detail: string) => ({
    rejection: rejected(door, reason, detail, payload),
  })
  if (!isStorable(textOf(json.value))) return refuse('bad_value', 'A reply holds characters that are no text.')
  if (z.guid().safeParse(id).success) {
    const parsed = commandReply.safeParse(json.value)
    if (!parsed.success) return refuse('bad_shape', sentence(parsed.error))
    return { reply: { kind: 'command', commandId: id, reply: parsed.data } }
  }
  if (id.startsWith(CLIENT_PREFIX)) {
    const parsed = clientProgress.safeParse(json.value)
    if (!parsed.success) return refuse('bad_shape', sentence(parsed.error))
    if (clientProgressId(parsed.data.updateId) !== id)
      return refuse('bad_value', 'The update is not that of the topic.')
    return { reply: { kind: 'client', progress: parsed.data } }
  }
  const parsed = settingsReply.safeParse(json.value)
  if (!parsed.success) return refuse('bad_shape', sentence(parsed.error))
  if (settingsReplyId(parsed.data.version) !== id) return refuse('bad_value', 'The version is not that of the topic.')
  return { reply: { kind: 'settings', reply: parsed.data } }
}

/** Every text of a value, as it is and not escaped. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textOf).join(' ')
}

function sentence(error: z.ZodError): string {
  const issue = error.issues[0]
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
}
