import type { CommandState, DeviceCommand } from '#contract/http/deviceCommands.ts'

/** What each state means to somebody who waits for it. */
export const STATE_WORDS: Readonly<Record<CommandState, { readonly word: string; readonly means: string }>> = {
  accepted: { word: 'Waiting', means: 'Kept, and not sent to the device yet.' },
  sent: { word: 'Sent', means: 'On its way; the device has not answered yet.' },
  done: { word: 'Done', means: 'The device has carried it out.' },
  refused: { word: 'Refused', means: 'The device has refused it.' },
  expired: { word: 'Expired', means: 'Too late: it was not carried out.' },
  unknown: { word: 'No answer', means: 'Sent and never answered: nobody knows whether it was carried out.' },
}

const STEPS: readonly CommandState[] = ['accepted', 'sent']

/**
 * What is known together with what came live, newest first. States only move forwards, whatever came first on the way;
 * a late answer still corrects `unknown`.
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

export interface Step {
  readonly word: string
  readonly at: string
}

/** The way of a command so far, each step with its moment. */
export function stepsOf({ state, acceptedAt, sentAt, endedAt }: DeviceCommand): readonly Step[] {
  const ended = state === 'done' || state === 'refused' ? 'Answered' : state === 'unknown' ? 'Given up' : 'Expired'
  return [
    { word: 'Accepted', at: acceptedAt },
    ...(sentAt === null ? [] : [{ word: 'Sent', at: sentAt }]),
    ...(endedAt === null ? [] : [{ word: ended, at: endedAt }]),
  ]
}

/** What the device said, without saying anything twice. */
export function answerOf({ text, errors }: DeviceCommand): readonly string[] {
  return [...new Set([text, ...errors].map((line) => line.trim()).filter((line) => line !== ''))]
}
