/**
 * SQL for whether an alert is Opened and Active (rules/states 8).
 *
 * @param alert the name by which the statement knows the table
 */
export const isActiveNow = (alert: string) =>
  `(${alert}.status_id = 1 and ${alert}.condition_state_id = 1 and ${alert}.withdrawn_at is null)`

/**
 * SQL for when an alert was last Active, infinity while it is. It must match the expression of its index (migration
 * 0026).
 *
 * @param alert the name by which the statement knows the table
 */
export const lastActiveAt = (alert: string) =>
  `(case when ${alert}.condition_state_id = 2 then ${alert}.state_since
    when ${alert}.status_id = 2 then coalesce(${alert}.closed_at, ${alert}.created_at)
    else 'infinity'::timestamptz end)`
