/**
 * An alert that is Opened and Active is so now (rules/states 8).
 *
 * @param alert by which name the statement knows its table
 */
export const isActiveNow = (alert: string) =>
  `(${alert}.status_id = 1 and ${alert}.condition_state_id = 1 and ${alert}.withdrawn_at is null)`

/**
 * When an alert was Active last, for ever while it is; as its index has it (migration 0026).
 *
 * @param alert as above
 */
export const lastActiveAt = (alert: string) =>
  `(case when ${alert}.condition_state_id = 2 then ${alert}.state_since
    when ${alert}.status_id = 2 then coalesce(${alert}.closed_at, ${alert}.created_at)
    else 'infinity'::timestamptz end)`
