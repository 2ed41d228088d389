/** Few days make few tables, and each fresh database is a copy of all; most tests need no more. */
export const KEPT_DAYS = 2

/** Tests about older or longer data need these. */
export const WEEK_DAYS = 7
export const MONTH_DAYS = 31
