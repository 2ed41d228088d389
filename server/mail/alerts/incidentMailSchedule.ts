import type pg from 'pg'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { SILENCE_WAITS_MS } from '#domain/notifications/mailRules.ts'
import { turnMail } from '#domain/notifications/mailSchedule.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { MAINTAINED_AT } from './heldAlerts.ts'
import { LAST_MAILS_OF, type NewMail, type NewsRow, queueMails, queueNews } from './incidentNews.ts'
import type { AlertNews } from './mailedAlert.ts'

const TURNS_AT_ONCE = 500
/** A mail that is on its way describes the state when it was written. */
const ON_ITS_WAY_MS = 30 * SECOND_MS
/** Nobody is mailed about devices that are not Paired, or under maintenance, which may end at any time. */
const QUIET_MS = MINUTE_MS
const SILENCE = fieldIdOfKind('silent')

interface DueShare {
  readonly incident_id: number
  readonly customer_id: number
  readonly turned_at: Date
  readonly over_at: Date | null
  readonly open_count: number
  readonly snoozed_until: Date | null
}

interface LastMailRow {
  readonly incident_id: number
  readonly customer_id: number
  readonly user_id: number
  readonly device_id: number
  readonly alert_id: number
  readonly told_over: boolean | null
  readonly tells: AlertNews
  /** The mail was sent or queued then. */
  readonly told_at: Date
  readonly is_sent: boolean
  readonly is_claimed: boolean
  readonly overs: number
}

/** Says whether nobody needs a notice: about all devices, and about those with a problem. */
interface Quiet {
  readonly all: boolean
  readonly active: boolean
}

/**
 * Makes mails when what a recipient was notified of has changed between active and resolved, and for alerts that are
 * active again in an incident nobody was notified of. It runs in the caller's transaction, beside no other folding and
 * no other queue.
 */
export async function scheduleIncidentMails(connection: pg.ClientBase, now: Date, idDomain: string): Promise<void> {
  const { rows: due } = await connection.query<DueShare>(
    `select t.incident_id::float8 as incident_id, t.customer_id, t.turned_at, s.over_at, s.open_count, i.snoozed_until
     from (select * from incident_turn where next_at <= $1 order by next_at limit $2) t
     join incident_share s on s.incident_id = t.incident_id and s.customer_id = t.customer_id
     join incident i on i.id = t.incident_id`,
    [now, TURNS_AT_ONCE],
  )
  if (due.length === 0) return
  const ids = [...new Set(due.map(({ incident_id }) => incident_id))]
  const told = Map.groupBy(await readLastMails(connection, ids), keyOf)
  const quiet = await quietOf(connection, ids, now)
  const mails: NewMail[] = []
  const nextAt = new Map<DueShare, Date | null>()
  const soonest = await queueActiveAgain(connection, due, now, idDomain)
  for (const share of due) {
    const found = look(share, told.get(keyOf(share)) ?? [], quiet(share), now)
    mails.push(...found.mails)
    const waits = [...found.waits, ...(soonest.get(share.incident_id) ?? [])]
    nextAt.set(share, waits.length === 0 ? null : new Date(now.getTime() + Math.min(...waits)))
  }
  await queueMails(connection, mails, now, idDomain)
  await connection.query(
    `update incident_turn t set next_at = looked.next_at
     from unnest($1::bigint[], $2::int[], $3::timestamptz[]) as looked (incident_id, customer_id, next_at)
     where t.incident_id = looked.incident_id and t.customer_id = looked.customer_id`,
    [due.map(({ incident_id }) => incident_id), due.map(({ customer_id }) => customer_id), [...nextAt.values()]],
  )
}

const keyOf = ({ incident_id, customer_id }: Pick<DueShare, 'incident_id' | 'customer_id'>) =>
  `${incident_id} ${customer_id}`

const snoozeMs = ({ snoozed_until }: Pick<DueShare, 'snoozed_until'>, now: Date): number =>
  (snoozed_until?.getTime() ?? 0) - now.getTime()

function look(share: DueShare, told: readonly LastMailRow[], quiet: Quiet, now: Date) {
  const mails: NewMail[] = []
  const waits: number[] = []
  const isOver = share.over_at !== null
  // Whoever closed all of it knows.
  if (told.length === 0 || share.open_count === 0) return { mails, waits }
  if (snoozeMs(share, now) > 0) return { mails, waits: [snoozeMs(share, now)] }
  if (isOver ? quiet.all : quiet.active) return { mails, waits: [QUIET_MS] }
  const calmMs = now.getTime() - share.turned_at.getTime()
  const wokenMs = share.snoozed_until?.getTime() ?? 0
  for (const {
    told_over,
    told_at,
    tells,
    is_sent,
    is_claimed,
    overs,
    device_id,
    alert_id,
    user_id,
    incident_id,
  } of told) {
    if (is_claimed && !is_sent) waits.push(ON_ITS_WAY_MS)
    // An unsent mail will describe the new state, and one that waits for more does so earlier.
    if ((!is_sent && (tells !== 'more' || is_claimed)) || told_over === null) continue
    const hasWoken = wokenMs > told_at.getTime()
    const mail = turnMail({ timesWrong: overs, toldOver: told_over, isOver, calmMs, hasWoken })
    if (mail && 'waitMs' in mail) waits.push(mail.waitMs)
    else if (mail) mails.push({ device_id, alert_id, user_id, incident_id, tells: mail.tells, is_late: false })
  }
  return { mails, waits }
}

/** Repeated notices of one alert are counted across all its incidents. */
async function readLastMails(connection: pg.ClientBase, ids: readonly number[]): Promise<LastMailRow[]> {
  const { rows } = await connection.query<LastMailRow>(
    `with asked as (select unnest($1::bigint[]) as incident_id),
     told as materialized (${LAST_MAILS_OF('asked')}),
     wrong as (
       select n.device_id, n.alert_id, n.user_id, count(*)::int as overs from notification n
       join told on told.device_id = n.device_id and told.alert_id = n.alert_id and told.user_id = n.user_id
       where n.channel = 'email' and n.tells = 'over' and n.sent_at is not null
       group by n.device_id, n.alert_id, n.user_id)
     select told.incident_id::float8 as incident_id, coalesce(u.customer_id, 0) as customer_id, told.user_id,
       told.device_id, told.alert_id::float8 as alert_id, told.told_over, told.tells, told.told_at, told.is_sent, told.is_claimed,
       coalesce(wrong.overs, 0) as overs
     from told join app_user u on u.id = told.user_id
     left join wrong on wrong.device_id = told.device_id and wrong.alert_id = told.alert_id
       and wrong.user_id = told.user_id`,
    [ids],
  )
  return rows
}

async function quietOf(connection: pg.ClientBase, ids: readonly number[], now: Date) {
  const { rows } = await connection.query<Quiet & Pick<DueShare, 'incident_id' | 'customer_id'>>(
    `select p.incident_id::float8 as incident_id, p.customer_id,
       bool_and(d.status_id <> $3 or m.device_id is not null) as all,
       coalesce(bool_and(d.status_id <> $3 or m.device_id is not null) filter (where p.over_at is null), true) as active
     from incident_part p join device d on d.id = p.device_id
     left join (${MAINTAINED_AT('$1')}) m on m.device_id = p.device_id
     where p.incident_id = any($2::bigint[]) group by p.incident_id, p.customer_id`,
    [now, ids, DEVICE_STATUS.active],
  )
  return ({ incident_id, customer_id }: DueShare): Quiet => {
    const own = rows.filter(
      (row) => row.incident_id === incident_id && (customer_id === 0 || row.customer_id === customer_id),
    )
    return { all: own.every(({ all }) => all), active: own.every(({ active }) => active) }
  }
}

interface ActiveAgainRow extends Omit<NewsRow, 'is_late' | 'is_again'> {
  readonly is_quiet: boolean
  readonly is_silence: boolean
  readonly raised_at: Date
}

/**
 * An alert that a mail named in an earlier incident, and that is active again in another one, leaves no notice.
 *
 * @returns how long to wait until some are due, by their incident
 */
async function queueActiveAgain(connection: pg.ClientBase, due: readonly DueShare[], now: Date, idDomain: string) {
  const active = due.filter(({ customer_id, over_at }) => customer_id === 0 && over_at === null)
  const waits = new Map<number, number[]>()
  if (active.length === 0) return waits
  const snoozes = new Map(active.map((share) => [share.incident_id, snoozeMs(share, now)]))
  const news: NewsRow[] = []
  for (const row of await activeAgain(connection, [...snoozes.keys()], now)) {
    const silenceMs = row.is_silence ? row.raised_at.getTime() + SILENCE_WAITS_MS - now.getTime() : 0
    const waitMs = Math.max(
      snoozes.get(row.incident_id) ?? 0,
      Math.min(SILENCE_WAITS_MS, silenceMs),
      row.is_quiet ? QUIET_MS : 0,
    )
    if (waitMs > 0) waits.set(row.incident_id, [...(waits.get(row.incident_id) ?? []).slice(-1), waitMs])
    else news.push({ ...row, is_late: false, is_again: true })
  }
  await queueNews(connection, news, now, idDomain)
  return waits
}

async function activeAgain(connection: pg.ClientBase, ids: readonly number[], now: Date): Promise<ActiveAgainRow[]> {
  const { rows } = await connection.query<ActiveAgainRow>(
    `with again as materialized (
       select distinct on (p.device_id, p.alert_id) p.device_id, p.alert_id, p.incident_id, p.field_id, p.raised_at,
         q.incident_id as earlier_id
       from incident_part p
       join incident_part q on q.device_id = p.device_id and q.alert_id = p.alert_id and q.raised_at < p.raised_at
         and q.incident_id <> p.incident_id
       where p.incident_id = any($2::bigint[]) and p.over_at is null
       order by p.device_id, p.alert_id, q.raised_at desc),
     told as (
       select distinct n.incident_id from notification n join again on again.earlier_id = n.incident_id
       where n.channel = 'email' and n.given_up_at is null)
     select again.device_id, again.alert_id::float8 as alert_id, again.incident_id::float8 as incident_id,
       again.raised_at, again.field_id = ${SILENCE} or c.field_id is not distinct from ${SILENCE} as is_silence,
       d.status_id <> $3 or m.device_id is not null as is_quiet
     from again join told on told.incident_id = again.earlier_id
     join alert a on a.device_id = again.device_id and a.id = again.alert_id and a.status_id = 1
       and a.withdrawn_at is null and a.action_type_id = 1
     join device d on d.id = again.device_id
     left join incident_share s on s.incident_id = again.incident_id and s.customer_id = 0
     left join alert c on c.device_id = s.cause_device_id and c.id = s.cause_alert_id
     left join alert_held h on h.device_id = again.device_id and h.alert_id = again.alert_id
     left join alert_notice w on w.device_id = again.device_id and w.alert_id = again.alert_id
     left join (${MAINTAINED_AT('$1')}) m on m.device_id = again.device_id
     where h.device_id is null and w.device_id is null`,
    [now, ids, DEVICE_STATUS.active],
  )
  return rows
}

export async function nextIncidentMailAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>('select min(next_at) as at from incident_turn')
  return rows[0]?.at ?? undefined
}
