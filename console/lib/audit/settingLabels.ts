import type { AuditEntry } from '#contract/http/insight/auditLog.ts'

/** These labels of settings that are kept but not applied follow a count or the name of a device. */
export const SETTING_WORDS = {
  queued: 'will be applied on reconnect',
  unanswered: 'kept, no answer yet',
  replaced: 'replaced before an answer',
} as const

type Ended = Pick<AuditEntry, 'outcome' | 'settingOutcome'>

/** The server refuses at once, the device possibly later. */
export const isRefused = ({ outcome, settingOutcome }: Ended) => outcome !== 'done' || settingOutcome === 'refused'

/** It reads "Kept, no answer yet", and is undefined for settings that were applied or refused. */
export function notAppliedText({ settingOutcome }: Ended): string | undefined {
  if (settingOutcome === null || settingOutcome === 'applied' || settingOutcome === 'refused') return undefined
  const words = SETTING_WORDS[settingOutcome]
  return words.charAt(0).toUpperCase() + words.slice(1)
}
