import type pg from 'pg'
import type { IncidentId, UserId } from '#domain/ids.ts'
import type { RouteRow } from './judgedRows.ts'

/** Who is told, why, or why not. */
export interface Notice {
  readonly shareId: number
  readonly route: Pick<RouteRow, 'id' | 'name' | 'customerId'>
  readonly outcome: 'told' | 'waits' | 'not'
  /** Whom; empty: nobody in particular. */
  readonly target: string
  /** Of a person. */
  readonly userId?: UserId | undefined
  readonly reason: string
}

interface Decided {
  readonly notices: readonly Notice[]
  readonly begun: readonly { readonly shareId: number; readonly routeId: number; readonly stepsDone: number }[]
  readonly moved: readonly { readonly runId: number; readonly stepsDone: number }[]
  readonly speakers: readonly { readonly channelId: number; readonly shareId: number }[]
}

/** In the caller's transaction. A reason is written once, however often it is found. */
export async function writeJudged(
  connection: pg.ClientBase,
  found: ReadonlyMap<IncidentId, Decided>,
  now: Date,
): Promise<void> {
  const each = <Row extends object>(rowsOf: (decided: Decided) => readonly Row[]) =>
    JSON.stringify([...found].flatMap(([id, decided]) => rowsOf(decided).map((row) => ({ incident_id: id, ...row }))))
  await connection.query(
    `insert into incident_run (incident_id, share_id, route_id, began_at, steps_done)
     select incident_id, "shareId", "routeId", $2, "stepsDone"
     from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, "shareId" int, "routeId" int, "stepsDone" int)`,
    [each(({ begun }) => begun), now],
  )
  await connection.query(
    `update incident_run r set steps_done = moved."stepsDone"
     from jsonb_to_recordset($1::jsonb) as moved ("runId" bigint, "stepsDone" int) where r.id = moved."runId"`,
    [each(({ moved }) => moved)],
  )
  await connection.query(
    `insert into incident_message (incident_id, share_id, channel_id, wanted_at)
     select incident_id, "shareId", "channelId", $2
     from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, "shareId" int, "channelId" int)`,
    [each(({ speakers }) => speakers), now],
  )
  await writeNotices(connection, new Map([...found].map(([id, { notices }]) => [id, notices])), now)
}

/** A reason is written once, however often it is found. */
export async function writeNotices(
  connection: pg.ClientBase,
  found: ReadonlyMap<IncidentId, readonly Notice[]>,
  now: Date,
): Promise<void> {
  const rows = [...found].flatMap(([id, notices]) =>
    notices.map(({ shareId, route, outcome, target, userId, reason }) => ({
      incident_id: id,
      share_id: shareId,
      route_id: route.id,
      route_customer_id: route.customerId,
      route_name: route.name,
      outcome,
      target,
      user_id: userId ?? null,
      reason,
    })),
  )
  if (rows.length === 0) return
  await connection.query(
    `insert into incident_notice (incident_id, share_id, route_id, route_customer_id, route_name, at, outcome, target, user_id, reason)
     select distinct r.incident_id, r.share_id, r.route_id, r.route_customer_id, r.route_name, $2::timestamptz, r.outcome,
       r.target, r.user_id, r.reason
     from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, share_id int, route_id int, route_customer_id int,
       route_name text, outcome text, target text, user_id int, reason text)
     left join incident_notice n on n.incident_id = r.incident_id and n.share_id = r.share_id and n.route_id = r.route_id
       and n.outcome = r.outcome and n.target = r.target and n.reason = r.reason
     where n.id is null`,
    [JSON.stringify(rows), now],
  )
}

/** What belongs to incidents that are part of others now is theirs. */
export async function moveToHeirs(connection: pg.ClientBase, ids: readonly IncidentId[]): Promise<void> {
  for (const table of ['incident_run', 'incident_message', 'incident_notice'])
    await connection.query(
      `update ${table} t set incident_id = i.joined_into from incident i
       where i.id = any($1::bigint[]) and i.joined_into is not null and t.incident_id = i.id`,
      [ids],
    )
}
