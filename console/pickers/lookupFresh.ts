/** Lookups change rarely, so their answers are used for this long without asking again. */
export const LOOKUP_FRESH_MS = 5 * 60_000
