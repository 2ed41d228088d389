/**
 * What can be wrong with a device now, the worst first (rules/states 10). New kinds stand last, because the database
 * keeps each as the bit of its place. Under maintenance `inMaintenance` stands for the others: somebody knows of them.
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

/** Null where nothing is wrong. */
export const worstOf = (bits: number): WrongKind | null => WRONG_KINDS.find((kind) => (bits & bitOf(kind)) > 0) ?? null
