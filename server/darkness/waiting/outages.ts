import type pg from 'pg'
import type { Outage } from '#domain/alerts/fold/waiting.ts'
import { SECOND_MS } from '#domain/units/time.ts'

/** So long may pass between two beats while another process takes the lead. */
const AWAY_AFTER_MS = 45 * SECOND_MS
/**
 * A clock is set right by so much now and then, and an outage that has just ended ends in its future for a moment. What ends
 * later was found by a clock that was hours ahead, and has never been.
 */
const SET_BACK_SECONDS = 60
/** Longer ago than anything waits. */
const KEPT_DAYS = 30

export interface Watched {
  /** By the clock of the database, as all that is compared with it. */
  readonly now: Date
  /** Times in which nobody looked, oldest first. */
  readonly outages: readonly Outage[]
}

/**
 * Says that somebody looks, and writes down since when nobody did. Undefined while no process takes what devices say:
 * then nothing is judged, and the time counts as away.
 */
export async function beat(owner: pg.Client): Promise<Watched | undefined> {
  const { rows } = await owner.query<{ now: Date; at: Date | null; isReachable: boolean }>(
    `select clock_timestamp() as now, (select at from server_beat for update) as at,
       exists (select from server_process where listens and lease_until > now()) as "isReachable"`,
  )
  const [seen] = rows
  if (!seen?.isReachable) return undefined
  const { now, at } = seen
  if (at !== null && now.getTime() - at.getTime() > AWAY_AFTER_MS) {
    await owner.query(`insert into server_outage (from_at, to_at) values ($1, $2) on conflict do nothing`, [at, now])
    await owner.query(`delete from server_outage where to_at < $1::timestamptz - interval '${KEPT_DAYS} days'`, [now])
  }
  // A clock that was set back must not look like somebody who is away for as long.
  await owner.query(`insert into server_beat (at) values ($1) on conflict (is_only) do update set at = excluded.at`, [
    now,
  ])
  await owner.query(
    `delete from server_outage where to_at > $1::timestamptz + interval '${SET_BACK_SECONDS} seconds'`,
    [now],
  )
  const { rows: outages } = await owner.query<Outage>(
    `select (extract(epoch from from_at) * 1000)::float8 as "fromMs", (extract(epoch from to_at) * 1000)::float8 as "toMs"
     from server_outage order by from_at`,
  )
  return { now, outages }
}
