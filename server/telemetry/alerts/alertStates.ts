/** SQL for whether an alert is Opened and Active (rules/states 8). */
export const isActiveNow = (alert: string) =>
  `(${alert}.status_id = 1 and ${alert}.condition_state_id = 1 and ${alert}.withdrawn_at is null)`

/** SQL for when an alert was last Active. It must match the expression of its index (migration 0026). */
export const lastActiveAt = (alert: string) =>
  `(case when ${alert}.condition_state_id = 2 then ${alert}.state_since
    when ${alert}.status_id = 2 then coalesce(${alert}.closed_at, ${alert}.created_at)
    else 'infinity'::timestamptz end)`
