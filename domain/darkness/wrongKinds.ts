/**
 * The present problems of a device, the worst first (rules/states 10). New kinds go to the end, because the database
 * keeps each as the bit of its place. In maintenance `inMaintenance` replaces the others, because somebody knows about
 * them.
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

/** The database keeps each kind as one bit, of which the lowest is the worst. */
export const bitOf = (kind: WrongKind): number => 1 << WRONG_KINDS.indexOf(kind)

/** Returns null if there is no problem. */
export const worstOf = (bits: number): WrongKind | null => WRONG_KINDS.find((kind) => (bits & bitOf(kind)) > 0) ?? null
