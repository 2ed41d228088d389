import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import type { Presence } from '#server/fleet/newestPresence.ts'
import { noteDueSql } from '#server/incidents/dueRows.ts'
import type { LightNow, StandingState } from './waitingRows.ts'

interface End {
  readonly atMs: number
  /** Whether late readings show that the state never lasted as long as the condition asks. */
  readonly neverWas: boolean
}

type Stood = Pick<StandingState, 'trueSince' | 'createdAt'>

const soonestMs = ({ trueSince, createdAt }: Stood) => Math.max(trueSince?.getTime() ?? 0, createdAt?.getTime() ?? 0)

/**
 * Finds how silence ended; undefined while it is not known to have ended, as for a device that is now dark as planned.
 * Reports that were kept and come later end the silence, but never undo it.
 */
export function silenceEnd(presence: Presence | undefined, stood: Stood): End | undefined {
  const cameMs = presence?.cameAt?.getTime()
  if (presence === undefined || cameMs === undefined) return undefined
  const cameBack = presence.isOnline || cameMs > (stood.trueSince?.getTime() ?? 0)
  return cameBack ? { atMs: Math.max(cameMs, soonestMs(stood)), neverWas: false } : undefined
}

/** Finds how darkness ended. Unknown light does not mean that it is back. */
export function darknessEnd(now: LightNow | undefined, stood: Stood, at: Date): End | undefined {
  if (!now?.light || now.light === 'unknown' || now.light === 'unplanned') return undefined
  const sinceMs = now.lightSince?.getTime()
  const neverWas = sinceMs !== undefined && stood.createdAt !== null && sinceMs < stood.createdAt.getTime()
  return { atMs: Math.max(sinceMs ?? at.getTime(), soonestMs(stood)), neverWas }
}

/** Withdraws alerts that late readings show to be wrong. The row stays hidden, so that its id is not reused. */
export async function withdrawWaited(owner: pg.Client, states: readonly StandingState[], now: Date): Promise<void> {
  if (states.length === 0) return
  const deviceIds: DeviceId[] = states.map(({ deviceId }) => deviceId)
  const conditionIds = states.map(({ conditionId }) => conditionId)
  const versions = states.map(({ version }) => version)
  const { rows } = await owner.query<{ device_id: DeviceId; open_alert_id: string | null }>(
    `with gone as (
       select s.device_id, s.condition_id, s.open_alert_id from alert_state s
       join unnest($1::int[], $2::int[], $3::int[]) as known (device_id, condition_id, version)
         using (device_id, condition_id, version)
       order by s.device_id, s.condition_id for update of s),
     cleared as (
       update alert_state s set version = s.version + 1, alert = 0, true_since = null, is_suppressed = false,
         open_alert_id = null
       from gone where s.device_id = gone.device_id and s.condition_id = gone.condition_id)
     select device_id, open_alert_id::text from gone`,
    [deviceIds, conditionIds, versions],
  )
  const alerts = rows.filter(({ open_alert_id }) => open_alert_id !== null)
  const keys = [alerts.map(({ device_id }) => device_id), alerts.map(({ open_alert_id }) => open_alert_id)]
  await owner.query(
    `update alert a set withdrawn_at = $3 from unnest($1::int[], $2::bigint[]) as gone (device_id, id)
     where a.device_id = gone.device_id and a.id = gone.id`,
    [...keys, now],
  )
  await owner.query(
    `delete from alert_notice n using unnest($1::int[], $2::bigint[]) as gone (device_id, id)
     where n.device_id = gone.device_id and n.alert_id = gone.id`,
    keys,
  )
  await owner.query(
    `insert into alert_event (device_id, alert_id, kind, at)
     select device_id, id, 'withdrawn', $3 from unnest($1::int[], $2::bigint[]) as gone (device_id, id)`,
    [...keys, now],
  )
  await owner.query(noteDueSql('$1::int[]', '$2::bigint[]'), keys)
}
