import { meets, type OperatorCode } from './operators.ts'

export interface Limit {
  readonly operator: OperatorCode
  readonly value: number
}

/** Whether a reading meets any of the conditions, however long they ask it to last. */
export const isBeyond = (reading: number, limits: readonly Limit[]): boolean =>
  limits.some(({ operator, value }) => meets(operator, reading, value))

export interface Headroom<L extends Limit> {
  /** The lowest limit that a rising reading can reach. */
  readonly limit: L
  /** The distance to the limit, in the unit of the reading; negative beyond it. */
  readonly room: number
}

/** Returns how far a reading may still rise; undefined without a limit, because none is ever invented. */
export function headroom<L extends Limit>(reading: number, limits: readonly L[]): Headroom<L> | undefined {
  const upper = limits.filter(({ operator }) => operator === 'GT' || operator === 'GTE')
  const [first, ...others] = upper
  if (!first) return undefined
  const limit = others.reduce((lowest, one) => (one.value < lowest.value ? one : lowest), first)
  return { limit, room: limit.value - reading }
}
