import type pg from 'pg'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { LocalDate } from '#domain/displays/wallClock.ts'
import type { DeviceId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { countAndKeep } from './darkDays.ts'
import type { Job } from './leader.ts'

const EVERY_MS = 1_000
const LONGEST_RUN_MS = 250
/** Rests four times as long as it worked, so that it never takes more than a fifth of a core. */
const RESTS_TIMES = 4
const DAYS_AT_ONCE = 10
/** Where nothing is left, nothing comes either. */
const LOOKS_AGAIN_MS = 3_600_000
const SAYS_EVERY_MS = 60_000

interface UntoldDay {
  readonly device_id: DeviceId
  readonly day: LocalDate
}

/**
 * Tells light in off times apart in days that were counted before it was (decision 122), the newest first and slowly,
 * and says now and then how many are left.
 */
export function darkRecountJob(
  log: { info(details: object, message: string): void },
  clockMs: () => number = () => performance.now(),
): Job {
  let restsUntilMs = 0
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  const say = async (owner: pg.ClientBase, now: Date) => {
    if (clockMs() - saidAtMs < SAYS_EVERY_MS) return
    saidAtMs = clockMs()
    log.info(await recountProgress(owner, now), 'dark minutes: days are counted anew, the newest first')
  }
  return {
    name: 'dark minutes of before',
    everyMs: EVERY_MS,
    async run(owner, now, stopped) {
      const beganAtMs = clockMs()
      if (beganAtMs < restsUntilMs) return
      const isOver = () => stopped.aborted || clockMs() - beganAtMs > LONGEST_RUN_MS
      try {
        const { isDone, counted } = await recountDays(owner, { now, isOver })
        if (counted > 0) await say(owner, now)
        if (isDone && isUnderWay) log.info({}, 'dark minutes: all days whose readings remain are counted anew')
        isUnderWay = counted > 0 && !isDone
        if (isDone) restsUntilMs = clockMs() + LOOKS_AGAIN_MS
      } finally {
        const endedAtMs = clockMs()
        restsUntilMs = Math.max(restsUntilMs, endedAtMs + RESTS_TIMES * (endedAtMs - beganAtMs))
      }
    },
  }
}

/**
 * Each step is one transaction, so a process that is killed anywhere leaves a day as it was or counted: what is left
 * stands in the days themselves.
 *
 * @returns how many days were counted, and whether none is left whose readings are all there
 */
export async function recountDays(
  owner: pg.ClientBase,
  { now, isOver }: { readonly now: Date; readonly isOver: () => boolean },
): Promise<{ readonly counted: number; readonly isDone: boolean }> {
  let counted = 0
  while (!isOver()) {
    const taken = await transactionOn(owner, async () => {
      await owner.query(`select ${lockUntilCommit('darkDays')}`)
      // Held up to the end: no day may lose readings between the look and the count.
      await owner.query('select from rollup_state for share')
      const { rows } = await owner.query<UntoldDay>(`${UNTOLD_SQL} order by k.day desc, k.device_id limit $2`, [
        now,
        DAYS_AT_ONCE,
      ])
      await countAndKeep(owner, rows, now, ({ day }) => [day])
      return rows.length
    })
    counted += taken
    if (taken < DAYS_AT_ONCE) return { counted, isDone: true }
  }
  return { counted, isDone: false }
}

/**
 * A local day begins up to 14 hours before its UTC day, so the first one that is complete does not count; and up to 12
 * hours after it, so that days up to yesterday have begun wherever a device is by now.
 */
const UNTOLD_SQL = `
  select k.device_id, to_char(k.day, 'YYYY-MM-DD') as day from device_dark_day k
  where k.lit_in_off_min is null and k.day > (select complete_from from rollup_state)
    and k.day < ($1::timestamptz at time zone 'UTC')::date
    and exists (select from device d where d.id = k.device_id and d.deleted_at is null)
    and exists (select from device_component c where c.device_id = k.device_id and c.category_id = ${CATEGORY.display})`

async function recountProgress(
  owner: pg.ClientBase,
  now: Date,
): Promise<{ daysLeft: number; newest: LocalDate | null }> {
  const { rows } = await owner.query(
    `select count(*)::integer as "daysLeft", max(day) as newest from (${UNTOLD_SQL}) as untold`,
    [now],
  )
  return rows[0]
}
