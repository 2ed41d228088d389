/** What can be wrong of a device now, the worst first (decisions: Now). */
export const WRONG_KINDS = ['dark', 'silent', 'alerted', 'unanswered', 'onBattery'] as const
export type WrongKind = (typeof WRONG_KINDS)[number]
