import { bitOf, WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'

/** SQL condition: something is wrong with a device that counts. The statement knows `device_now` as `n`. */
export const IS_WRONG = '(n.wrong_kinds > 0 and n.customer_id is not null)'

/** SQL beside `IS_WRONG`: a number below zero for the worst problem, the worst lowest. */
export const WORST_RANK = '((n.wrong_kinds & -n.wrong_kinds) - 32767)::int'

/** SQL condition beside `IS_WRONG`: the problem is of this kind. */
export const isOfKind = (kind: WrongKind): string => `(n.wrong_kinds & ${bitOf(kind)}) > 0`

/** SQL condition for the index: nothing worse than this kind is wrong. It changes no result. */
export const atWorst = (kind: WrongKind): string => `(n.wrong_kinds & -n.wrong_kinds) <= ${bitOf(kind)}`

const whenKinds = (wordOf: (kind: WrongKind) => string): string =>
  WRONG_KINDS.map((kind) => `when ${bitOf(kind)} then '${wordOf(kind)}'`).join(' ')

/** SQL beside `IS_WRONG`: a word for the worst problem. */
export const worstBy = (wordOf: (kind: WrongKind) => string): string =>
  `case n.wrong_kinds & -n.wrong_kinds ${whenKinds(wordOf)} end`
