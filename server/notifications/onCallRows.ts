import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Schedule, ScheduleOverride } from '#domain/notifications/onCall.ts'
import type { Statements } from '#server/db/statements.ts'

export interface ScheduleMember {
  readonly userId: UserId
  /** The channel that notifies them; null for mail. */
  readonly channelId: number | null
}

export interface ScheduleRow extends Omit<Schedule, 'overrides' | 'memberIds'> {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
  readonly members: readonly ScheduleMember[]
  readonly overrides: readonly (ScheduleOverride & { readonly id: number })[]
}

/** Reads the on-call schedules, with overrides from a moment on. */
export async function readSchedules(statements: Statements, now: Date): Promise<ScheduleRow[]> {
  const [schedules, overrides] = [
    await statements.query<Omit<ScheduleRow, 'overrides'>>(
      `select id, name, customer_id as "customerId", time_zone as "timeZone",
         to_char(first_day, 'YYYY-MM-DD') as "firstDay", hand_over as "handOver", every_days as "everyDays", members
       from rota where deleted_at is null order by name_order(name), id`,
    ),
    await statements.query<{ id: number; rota_id: number; user_id: UserId; from_at: Date; to_at: Date }>(
      'select id, rota_id, user_id, from_at, to_at from rota_override where to_at > $1 order by id',
      [now],
    ),
  ]
  const bySchedule = Map.groupBy(overrides.rows, ({ rota_id }) => rota_id)
  return schedules.rows.map((row) => ({
    ...row,
    overrides: (bySchedule.get(row.id) ?? []).map(({ id, user_id, from_at, to_at }) => ({
      id,
      userId: user_id,
      fromMs: from_at.getTime(),
      toMs: to_at.getTime(),
    })),
  }))
}

export const scheduleOf = (row: ScheduleRow): Schedule => ({
  ...row,
  memberIds: row.members.map(({ userId }) => userId),
})
