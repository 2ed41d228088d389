/** Of readings, in tests that need no more: few days make few tables, and each fresh database is a copy of all. */
export const KEPT_DAYS = 2

/** Of tests about what is older, or long. */
export const WEEK_DAYS = 7
export const MONTH_DAYS = 31
