import type { DeviceId, FieldId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type FieldPlace, fieldPlace } from '#server/telemetry/alerts/alertRules.ts'
import { replay } from '#server/telemetry/alerts/replay.ts'

export interface AlertMove {
  readonly kind: string
  readonly at: Date
}

export async function alertMoves(queryable: Queryable, deviceId: DeviceId): Promise<readonly AlertMove[]> {
  const { rows } = await queryable.query<AlertMove>(
    `select e.kind, e.at from alert_event e join alert a on a.device_id = e.device_id and a.id = e.alert_id
     where e.device_id = $1 and a.withdrawn_at is null order by e.at, e.id`,
    [deviceId],
  )
  return rows
}

/** Computes from the readings what the history of a single "greater than" condition should be. */
export async function replayedMoves(
  queryable: Queryable,
  { deviceId, ...rule }: { deviceId: DeviceId; fieldId: number; threshold: number; periodMs: number; from: Date },
): Promise<readonly AlertMove[]> {
  const { alerts } = await replay(queryable, {
    deviceId,
    rule: {
      kind: 'level',
      judged: { kind: 'level', operator: 'GT', threshold: rule.threshold, clearLevel: undefined },
      periodMs: rule.periodMs,
      fields: [fieldPlace(rule.fieldId as FieldId) as FieldPlace],
      waitMs: 0,
      isPart: false,
    },
    from: rule.from,
  })
  return alerts.flatMap(({ openedAtMs, stretches }) =>
    stretches.flatMap(({ fromMs, toMs }) => [
      { kind: fromMs === openedAtMs ? 'opened' : 'active', at: new Date(fromMs) },
      ...(toMs === undefined ? [] : [{ kind: 'notActive', at: new Date(toMs) }]),
    ]),
  )
}
