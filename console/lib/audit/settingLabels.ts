import type { AuditEntry } from '#contract/http/insight/auditLog.ts'

/** What became of settings that are kept and not applied, after "2" or after the name of a device. */
export const SETTING_WORDS = {
  queued: 'will be applied on reconnect',
  unanswered: 'kept, no answer yet',
  replaced: 'replaced before an answer',
} as const

type Ended = Pick<AuditEntry, 'outcome' | 'settingOutcome'>

/** By the server at once, or by the device later. */
export const isRefused = ({ outcome, settingOutcome }: Ended) => outcome !== 'done' || settingOutcome === 'refused'

/** "Kept, no answer yet"; undefined of what is done, and of what was refused. */
export function notAppliedText({ settingOutcome }: Ended): string | undefined {
  if (settingOutcome === null || settingOutcome === 'applied' || settingOutcome === 'refused') return undefined
  const words = SETTING_WORDS[settingOutcome]
  return words.charAt(0).toUpperCase() + words.slice(1)
}
