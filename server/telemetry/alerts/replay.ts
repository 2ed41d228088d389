import { type ActiveStretch, type FoldedAlert, type FoldedCondition, foldAlerts } from '#domain/alerts/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/conditionFold.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { fieldPlace } from './alertRules.ts'
import { LONG_AGO, readingsAfter } from './refold.ts'

export interface ReplayQuestion {
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly condition: FoldedCondition
  /** Device time after which readings are looked at. */
  readonly from: Date
}

export interface Replayed {
  /** One, unless nothing was ever met: nobody closes it. */
  readonly alerts: readonly FoldedAlert[]
  readonly stretches: readonly ActiveStretch[]
  /** Device time of the oldest reading; undefined when there is none. */
  readonly oldestMs: number | undefined
}

/**
 * What a condition would have done on a device over its stored readings, as if it had always been there: by the fold
 * that live evaluation and late readings go through.
 */
export async function replay(
  queryable: Queryable,
  { deviceId, fieldId, condition, from }: ReplayQuestion,
): Promise<Replayed> {
  const rule = fieldPlace(fieldId)
  if (rule === undefined) return { alerts: [], stretches: [], oldestMs: undefined }
  const readings = await readingsAfter(queryable, { deviceId, rule, countsFrom: LONG_AGO }, from)
  const { alerts } = foldAlerts(condition, UNTOUCHED, readings)
  return { alerts, stretches: alerts.flatMap(({ stretches }) => stretches), oldestMs: readings[0]?.atMs }
}
