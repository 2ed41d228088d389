export const REPORT_PERIOD_MS = 60_000

/** Silence for two report periods counts as offline, even while the connection still stands. */
export const OFFLINE_AFTER_MS = 2 * REPORT_PERIOD_MS
