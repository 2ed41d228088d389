import type pg from 'pg'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { IncidentId, UserId } from '#domain/ids.ts'
import { FOUND_LATE_AFTER_MS } from '#domain/notifications/mailRules.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import type { RouteRow } from './judgedRows.ts'

export interface Notice {
  readonly shareId: number
  readonly route: Pick<RouteRow, 'id' | 'name' | 'customerId'>
  readonly outcome: 'told' | 'waits' | 'not'
  /** The name of the recipient; empty for nobody in particular. */
  readonly target: string
  readonly userId?: UserId | undefined
  /** The channel that notifies them, now or later. */
  readonly channelId?: number | undefined
  /** The mail queue notifies them, and knows when. */
  readonly isMailed?: boolean | undefined
  readonly reason: string
  /** It waits until then. */
  readonly untilMs?: number | undefined
}

/** What was decided for one incident; further decisions are added while its routes are judged. */
export interface Judged {
  readonly notices: Notice[]
  readonly begun: { readonly shareId: number; readonly routeId: number; readonly stepsDone: number }[]
  readonly moved: { readonly runId: number; readonly stepsDone: number }[]
  /** The mail queue notifies these as far as they may see it: one person, or everybody with alert e-mails for 0. */
  readonly readers: { readonly userId: UserId | 0; readonly shareId: number }[]
  /** These channels send it, each in the words of one share. */
  readonly channels: { readonly channelId: number; readonly shareId: number }[]
  readonly due: number[]
}

/** Runs in the caller's transaction. A reason is written once, however often it is found. */
export async function writeJudged(
  connection: pg.ClientBase,
  found: ReadonlyMap<IncidentId, Judged>,
  now: Date,
): Promise<void> {
  const each = <Row extends object>(rowsOf: (judged: Judged) => readonly Row[]) =>
    JSON.stringify([...found].flatMap(([id, judged]) => rowsOf(judged).map((row) => ({ incident_id: id, ...row }))))
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
    [each(({ channels }) => channels), now],
  )
  const asked = await connection.query(ASK_READERS, [each(({ readers }) => readers), now])
  if (asked.rowCount) await connection.query(ringSql(MAILS_JOB))
  await writeNotices(connection, new Map([...found].map(([id, { notices }]) => [id, notices])), now)
}

/**
 * SQL: the mail queue notifies these readers of each alert that asks for it, unless one of its mails has. $1 names
 * readers and incidents, $2 is now.
 */
const ASK_READERS = `
  with asked as (
    insert into incident_reader (incident_id, share_id, user_id, asked_at)
    select distinct incident_id, "shareId", "userId", $2::timestamptz
    from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, "shareId" int, "userId" int)
    on conflict do nothing returning incident_id, share_id),
  due as (
    select distinct on (a.device_id, a.id) a.device_id, a.id, a.found_at, a.created_at,
      earlier.incident_id is not null as is_again
    from asked join incident_part p on p.incident_id = asked.incident_id and p.is_open
      and asked.share_id in (0, p.customer_id)
    join alert a on a.device_id = p.device_id and a.id = p.alert_id and a.withdrawn_at is null and a.action_type_id = 1
    left join incident_part earlier on earlier.device_id = a.device_id and earlier.alert_id = a.id
      and earlier.raised_at < p.raised_at and earlier.incident_id <> p.incident_id
    join device d on d.id = a.device_id and d.status_id = ${DEVICE_STATUS.active}
    left join alert_held h on h.device_id = a.device_id and h.alert_id = a.id
    where h.device_id is null order by a.device_id, a.id, p.raised_at desc, earlier.raised_at nulls last)
  insert into alert_notice (device_id, alert_id, found_at, is_late, is_again)
  select due.device_id, due.id, due.found_at, due.found_at - due.created_at > interval '${FOUND_LATE_AFTER_MS} milliseconds',
    due.is_again
  from due on conflict (device_id, alert_id) do update set is_again = excluded.is_again`

export async function writeNotices(
  connection: pg.ClientBase,
  found: ReadonlyMap<IncidentId, readonly Notice[]>,
  now: Date,
): Promise<void> {
  const rows = [...found].flatMap(([id, notices]) =>
    notices.map(({ shareId, route, outcome, target, userId, channelId, isMailed, reason, untilMs }) => ({
      incident_id: id,
      share_id: shareId,
      route_id: route.id,
      route_customer_id: route.customerId,
      route_name: route.name,
      outcome,
      target,
      user_id: userId ?? null,
      channel_id: channelId ?? null,
      is_mailed: isMailed === true,
      reason,
      until_at: untilMs === undefined ? null : new Date(untilMs),
    })),
  )
  if (rows.length === 0) return
  await connection.query(
    `insert into incident_notice (incident_id, share_id, route_id, route_customer_id, route_name, at, outcome, target, user_id, reason,
       channel_id, until_at, is_mailed)
     select distinct r.incident_id, r.share_id, r.route_id, r.route_customer_id, r.route_name, $2::timestamptz, r.outcome,
       r.target, r.user_id, r.reason, r.channel_id, r.until_at, r.is_mailed
     from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, share_id int, route_id int, route_customer_id int,
       route_name text, outcome text, target text, user_id int, reason text, channel_id int, until_at timestamptz, is_mailed boolean)
     left join incident_notice n on n.incident_id = r.incident_id and n.share_id = r.share_id and n.route_id = r.route_id
       and n.outcome = r.outcome and n.target = r.target and n.reason = r.reason
       and n.until_at is not distinct from r.until_at
     where n.id is null`,
    [JSON.stringify(rows), now],
  )
}

/** Moves what belongs to merged incidents to those that they are part of. */
export async function moveToHeirs(connection: pg.ClientBase, ids: readonly IncidentId[]): Promise<void> {
  await connection.query(
    `insert into incident_reader (incident_id, share_id, user_id, asked_at)
     select distinct on (i.joined_into, r.share_id, r.user_id) i.joined_into, r.share_id, r.user_id, r.asked_at
     from incident i join incident_reader r on r.incident_id = i.id
     where i.id = any($1::bigint[]) and i.joined_into is not null
     order by i.joined_into, r.share_id, r.user_id on conflict do nothing`,
    [ids],
  )
  for (const table of ['incident_run', 'incident_message', 'incident_notice'])
    await connection.query(
      `update ${table} t set incident_id = i.joined_into from incident i
       where i.id = any($1::bigint[]) and i.joined_into is not null and t.incident_id = i.id`,
      [ids],
    )
}
