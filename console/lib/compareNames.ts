import { nameOrder } from '#domain/units/nameOrder.ts'

/** Whatever the console itself sorts by name stands in the order of the reader's language (rules/lists 13). */
export const compareNames = nameOrder(navigator.language)
