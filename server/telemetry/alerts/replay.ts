import { periodMsOf } from '#domain/alerts/alertLabels.ts'
import { minutesMs } from '#domain/alerts/conditionKinds.ts'
import { type ActiveStretch, type FoldedAlert, foldAlerts } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { fieldsOf, judgedOf, type RequestedRule } from './alertRules.ts'
import { LONG_AGO, samplesAfter, type WatchedRule } from './conditionReadings.ts'
import { readUnusedFields, ruleBesideUnused } from './unusedPorts.ts'

export interface ReplayQuestion {
  readonly deviceId: DeviceId
  readonly rule: WatchedRule
  /** The device time after which readings count. */
  readonly from: Date
}

export interface Replayed {
  /** There is at most one alert, because nobody closes it; none when the condition was never met. */
  readonly alerts: readonly FoldedAlert[]
  readonly stretches: readonly ActiveStretch[]
  /** The device time of the oldest reading; undefined when there is none. */
  readonly oldestMs: number | undefined
}

/** Works out what a condition would have done over stored readings, by the same fold as live evaluation. */
export async function replay(queryable: Queryable, { deviceId, rule, from }: ReplayQuestion): Promise<Replayed> {
  const samples = await samplesAfter(queryable, { deviceId, rule, countsFrom: LONG_AGO }, from)
  const { alerts } = foldAlerts(rule, UNTOUCHED, samples)
  return { alerts, stretches: alerts.flatMap(({ stretches }) => stretches), oldestMs: samples[0]?.atMs }
}

const NOTHING: Replayed = { alerts: [], stretches: [], oldestMs: undefined }

/** Replays a condition that is not stored. The result is empty for one that no reading judges. */
export async function replayRequested(
  queryable: Queryable,
  {
    deviceId,
    from,
    asked,
    periodId,
    isPart,
  }: Omit<ReplayQuestion, 'rule'> & {
    readonly asked: RequestedRule
    readonly periodId: number
    readonly isPart: boolean
  },
): Promise<Replayed> {
  const judged = judgedOf(asked)
  const fields = fieldsOf(asked)
  if (!judged || !fields || fields.length === 0) return NOTHING
  const periodMs = periodMsOf(periodId) ?? 0
  const whole = { kind: asked.kind, judged, fields, periodMs, waitMs: minutesMs(asked.minutes ?? 0), isPart }
  const rule = ruleBesideUnused(whole, await readUnusedFields(queryable, deviceId))
  return rule ? replay(queryable, { deviceId, rule, from }) : NOTHING
}
