/**
 * SQL: the kind of origin of a condition (domain/alerts/alertOrigin.ts); null without a row.
 *
 * @param condition by which name the statement knows its table
 */
export const conditionOrigin = (condition: string) =>
  `(case when ${condition}.model_id is not null then 'model' when ${condition}.device_id is not null then 'device'
    when ${condition}.tag is not null then 'tag' when ${condition}.customer_id is not null then 'customer'
    when ${condition}.id is not null then 'all' end)`
