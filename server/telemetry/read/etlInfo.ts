import type { EtlInfo } from '#contract/http/insight/overview.ts'
import type { Queryable } from '#server/db/transaction.ts'

/** A longer time without a run means that no process leads. */
const QUIET_SECONDS = 45

/** Reads what `ETL_DB_INFO` answers, the same in every process. The refresh is the last time that no work was left. */
export async function readEtlInfo(queryable: Queryable, now: Date): Promise<EtlInfo> {
  const { rows } = await queryable.query<{ has_failed: boolean; is_behind: boolean; refreshed_at: Date | null }>(
    `select failure is not null as has_failed, refreshed_at,
       has_backlog or (
         (ran_at is null or ran_at < $1::timestamptz - make_interval(secs => $2))
         and (exists (select from rollup_mark)
              or exists (select from state_mark where from_at < date_trunc('hour', $1::timestamptz))
              or exists (select from rollup_due where hours & finished_hours(day, $1) <> 0))) as is_behind
     from rollup_state`,
    [now, QUIET_SECONDS],
  )
  const state = rows[0]
  return {
    etl_status: state?.has_failed ? 'FAILED' : state?.is_behind ? 'PROCESSING' : 'READY',
    etl_last_refresh: state?.refreshed_at?.toISOString() ?? null,
  }
}
