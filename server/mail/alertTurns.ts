import type pg from 'pg'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { turnMail } from '#domain/notifications/turnRules.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'

const TURNS_AT_ONCE = 500
/** A mail that is on its way says how things were when it was written. */
const ON_ITS_WAY_MS = 30 * SECOND_MS
/** Nobody is mailed about a device that is not Paired; they are when it is again. */
const UNPAIRED_MS = 5 * MINUTE_MS

interface TurnRow {
  readonly device_id: number
  readonly alert_id: string
  readonly turned_at: Date
  readonly is_open: boolean
  readonly is_over: boolean
  readonly is_paired: boolean
  /** Null: nobody was told anything. */
  readonly user_id: number | null
  readonly turn: number
  readonly told_over: boolean | null
  readonly is_sent: boolean
  readonly is_claimed: boolean
  readonly highest_turn: number
}

/**
 * Makes mails for those who were told that an alert is met while it is not any more, or the other way round. In the
 * caller's transaction, which no other queue runs beside.
 */
export async function expandTurns(connection: pg.ClientBase, now: Date, idDomain: string): Promise<void> {
  const { rows } = await connection.query<TurnRow>(
    `with due as (
       select device_id, alert_id, turned_at from alert_turn where next_at <= $1
       order by next_at limit $2 for update skip locked),
     told as (
       select distinct on (n.device_id, n.alert_id, n.user_id) n.device_id, n.alert_id, n.user_id, n.turn, n.told_over,
         n.sent_at is not null as is_sent, n.claimed_at is not null as is_claimed,
         max(n.turn) over (partition by n.device_id, n.alert_id, n.user_id) as highest_turn, n.given_up_at
       from notification n join due on due.device_id = n.device_id and due.alert_id = n.alert_id
       where n.channel = 'email'
       order by n.device_id, n.alert_id, n.user_id, n.given_up_at is not null, n.turn desc)
     select due.device_id, due.alert_id, due.turned_at,
       coalesce(a.status_id = 1 and a.withdrawn_at is null and d.deleted_at is null, false) as is_open,
       coalesce(a.condition_state_id = 2, false) as is_over, coalesce(d.status_id = $3, false) as is_paired,
       told.user_id, told.turn, told.told_over, told.is_sent, told.is_claimed, told.highest_turn
     from due left join alert a on a.device_id = due.device_id and a.id = due.alert_id
     left join device d on d.id = due.device_id
     left join told on told.device_id = due.device_id and told.alert_id = due.alert_id and told.given_up_at is null`,
    [now, TURNS_AT_ONCE, DEVICE_STATUS.active],
  )
  const turns = Map.groupBy(rows, ({ device_id, alert_id }) => `${device_id} ${alert_id}`)
  for (const told of turns.values()) await look(connection, told, now, idDomain)
}

async function look(connection: pg.ClientBase, told: readonly TurnRow[], now: Date, idDomain: string): Promise<void> {
  const [turn] = told
  if (!turn) return
  const waits: number[] = []
  if (turn.is_open && !turn.is_paired) waits.push(UNPAIRED_MS)
  else if (turn.is_open) {
    const calmMs = now.getTime() - turn.turned_at.getTime()
    for (const recipient of told) {
      if (recipient.is_claimed && !recipient.is_sent) waits.push(ON_ITS_WAY_MS)
      // One that was not sent yet will say how things are then.
      if (recipient.user_id === null || !recipient.is_sent || recipient.told_over === null) continue
      const { turn: mails, told_over: toldOver } = recipient
      const mail = turnMail({ turn: mails, toldOver, isOver: turn.is_over, calmMs })
      if (mail && 'waitMs' in mail) waits.push(mail.waitMs)
      else if (mail) await queueMail(connection, recipient, mail.tells, now, idDomain)
    }
  }
  const key = [turn.device_id, turn.alert_id]
  if (waits.length === 0) {
    await connection.query('delete from alert_turn where device_id = $1 and alert_id = $2', key)
    return
  }
  await connection.query('update alert_turn set next_at = $3 where device_id = $1 and alert_id = $2', [
    ...key,
    new Date(now.getTime() + Math.min(...waits)),
  ])
}

async function queueMail(connection: pg.ClientBase, to: TurnRow, tells: string, now: Date, idDomain: string) {
  await connection.query(
    `insert into notification (device_id, alert_id, user_id, channel, kind, message_id, queued_at, next_try_at, turn, tells)
     values ($1, $2, $3, 'email', 'alert', '<' || gen_random_uuid() || '@' || $4::text || '>', $5, $5, $6, $7)
     on conflict do nothing`,
    [to.device_id, to.alert_id, to.user_id, idDomain, now, to.highest_turn + 1, tells],
  )
}

/** When somebody may have to be told next. */
export async function nextTurnAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>('select min(next_at) as at from alert_turn')
  return rows[0]?.at ?? undefined
}
