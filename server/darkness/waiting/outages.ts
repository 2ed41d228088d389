import type pg from 'pg'
import type { Outage } from '#domain/alerts/fold/waiting.ts'
import { SECOND_MS } from '#domain/units/time.ts'

/** This long may pass between two beats while another process takes the lead. */
const AWAY_AFTER_MS = 45 * SECOND_MS
/**
 * Clocks are corrected by about this much, which puts the end of a recent outage into the future for a moment. An
 * outage that ends later than that came from a clock that was hours ahead, and never happened.
 */
const SET_BACK_SECONDS = 60
/** No condition waits for longer than this. */
const KEPT_DAYS = 30

export interface Watched {
  /** The database's clock, because everything is compared with its times. */
  readonly now: Date
  /** The times in which no process judged, oldest first. */
  readonly outages: readonly Outage[]
}

/**
 * Records that a process judges now, and any gap before it as an outage. Undefined while no process receives reports;
 * then nothing is judged, and the time counts as an outage.
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
  // A clock that was set back must not look like a long outage.
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
