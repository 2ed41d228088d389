import type { CommandState, DeviceCommand } from '#contract/http/devices/commands.ts'
import { SETTINGS_SECTIONS } from '#contract/mqtt/settings.ts'
import { formatDuration } from '#domain/units/durations.ts'

export const STATE_WORDS: Readonly<Record<CommandState, { readonly word: string; readonly means: string }>> = {
  accepted: { word: 'Waiting', means: 'Queued, not sent to the device yet.' },
  sent: { word: 'Sent', means: 'On its way; the device has not answered yet.' },
  done: { word: 'Done', means: 'The device has carried it out.' },
  refused: { word: 'Refused', means: 'The device has refused it.' },
  expired: { word: 'Expired', means: 'Too late: it was not carried out.' },
  unknown: { word: 'No answer', means: 'Sent and never answered. It is unknown whether it was carried out.' },
}

const STEPS: readonly CommandState[] = ['accepted', 'sent']

/**
 * It merges loaded commands with those that came live, newest first. States only move forwards, in whatever order they
 * arrived; a late answer still corrects `unknown`.
 */
export function withNewer(known: readonly DeviceCommand[], newer: readonly DeviceCommand[]): readonly DeviceCommand[] {
  const byId = new Map(known.map((command) => [command.id, command]))
  for (const command of newer) {
    const before = byId.get(command.id)
    if (!before || progress(command) >= progress(before)) byId.set(command.id, command)
  }
  return [...byId.values()].sort(
    (a, b) => Date.parse(b.acceptedAt) - Date.parse(a.acceptedAt) || (a.id < b.id ? 1 : -1),
  )
}

function progress({ state }: DeviceCommand): number {
  if (state === 'unknown') return STEPS.length
  const step = STEPS.indexOf(state)
  return step === -1 ? STEPS.length + 1 : step
}

/**
 * It says how long after acceptance a command was sent, and answered or given up: `sent 0 s, answered 2 s`. It is empty
 * while the command waits.
 */
export function stepsText({ state, acceptedAt, sentAt, endedAt }: DeviceCommand): string {
  const after = (at: string) =>
    formatDuration(Math.max(0, Math.round((Date.parse(at) - Date.parse(acceptedAt)) / 1000)))
  const ended = state === 'done' || state === 'refused' ? 'answered' : state === 'unknown' ? 'given up' : 'expired'
  return [
    ...(sentAt === null ? [] : [`sent ${after(sentAt)}`]),
    ...(endedAt === null ? [] : [`${ended} ${after(endedAt)}`]),
  ].join(', ')
}

export const COMMAND_FILTERS = ['All', 'Settings', 'Power', 'Not done'] as const
export type CommandFilter = (typeof COMMAND_FILTERS)[number]

/** `Not done` means refused, expired or unknown; a command that is still under way is not among them. */
export function isShown(filter: CommandFilter, { name, state }: Pick<DeviceCommand, 'name' | 'state'>): boolean {
  const isSetting = SETTINGS_SECTIONS.some((section) => name === `${section}.apply`)
  switch (filter) {
    case 'All':
      return true
    case 'Settings':
      return isSetting
    case 'Power':
      return !isSetting
    case 'Not done':
      return state === 'refused' || state === 'expired' || state === 'unknown'
  }
}

export function answerOf({ text, errors }: DeviceCommand): readonly string[] {
  return [...new Set([text, ...errors].map((line) => line.trim()).filter((line) => line !== ''))]
}
