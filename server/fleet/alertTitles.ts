import type { FieldId } from '#domain/ids.ts'
import { causeText } from '#domain/incidents/incidentLabels.ts'

/** What an alert is called by. Its condition keeps its title even when it was removed. */
export interface TitleRow {
  readonly field_id: FieldId
  readonly condition_text: string
  readonly condition_title: string | null
  /** A value that is no number; of darkness the words of the verdict. */
  readonly told: string | null
  /** Absent for several alerts that have a value each. */
  readonly value?: number | null
}

/** SQL: the columns of a `TitleRow`. */
export const titleColumns = (alert: string): string =>
  `${alert}.field_id, ${alert}.condition_text, ${alert}.metric_value_text as told, ${alert}.metric_value_dec as value,
   (select c.title from alert_condition c where c.id = ${alert}.condition_id) as condition_title`

/** SQL: the same as one JSON object, for statements that group alerts. */
export const titleJson = (alert: string): string => `(select to_jsonb(t) from (select ${titleColumns(alert)}) t)`

/** Names an alert the same wherever it is shown (rules/alerts 18). */
export const titleOf = ({ field_id: fieldId, condition_text, condition_title: title, told, value }: TitleRow): string =>
  causeText({ fieldId, conditionText: condition_text, title, told, value })
