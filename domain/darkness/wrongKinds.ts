/**
 * What can be wrong of a device now, the worst first (decisions: Now); new ones stand last, for bits are kept. Under maintenance that is `inMaintenance` alone,
 * where anything else of these would be: somebody knows of it.
 */
export const WRONG_KINDS = [
  'dark',
  'silent',
  'alerted',
  'unanswered',
  'onBattery',
  'inMaintenance',
  'reportsRefused',
  'clockWrong',
  'restarting',
  'identityConflict',
] as const
export type WrongKind = (typeof WRONG_KINDS)[number]

/** As they are kept: one bit each, the lowest the worst. */
export const bitOf = (kind: WrongKind): number => 1 << WRONG_KINDS.indexOf(kind)

/** Null where nothing is wrong. */
export const worstOf = (bits: number): WrongKind | null => WRONG_KINDS.find((kind) => (bits & bitOf(kind)) > 0) ?? null
