import { bitOf, WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'

/** SQL: something is wrong of a device that counts, in a statement that knows `device_now` as `n`. */
export const IS_WRONG = '(n.wrong_kinds > 0 and n.customer_id is not null)'

/** SQL: that it is of this kind, beside `IS_WRONG`. */
export const isOfKind = (kind: WrongKind): string => `(n.wrong_kinds & ${bitOf(kind)}) > 0`

/** SQL: by which the index finds those of a kind: nothing worse than its worst kind is. It makes them no others. */
export const atWorst = (kind: WrongKind): string => `(n.wrong_kinds & -n.wrong_kinds) <= ${bitOf(kind)}`

const whenKinds = (wordOf: (kind: WrongKind) => string): string =>
  WRONG_KINDS.map((kind) => `when ${bitOf(kind)} then '${wordOf(kind)}'`).join(' ')

/** SQL: a word for the worst of it, beside `IS_WRONG`. */
export const worstBy = (wordOf: (kind: WrongKind) => string): string =>
  `case n.wrong_kinds & -n.wrong_kinds ${whenKinds(wordOf)} end`
