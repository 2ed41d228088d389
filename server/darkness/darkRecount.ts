import type pg from 'pg'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { countAndKeep } from './darkDays.ts'

const EVERY_MS = 1_000
const LONGEST_RUN_MS = 250
/** The job rests four times as long as it worked, so that it takes at most a fifth of a core. */
const RESTS_TIMES = 4
const DAYS_AT_ONCE = 10
/** Once nothing is left, no new work can appear, so the job rarely looks again. */
const LOOKS_AGAIN_MS = 3_600_000
const SAYS_EVERY_MS = 60_000

interface UntoldDay {
  readonly device_id: DeviceId
  readonly day: LocalDate
}

/** Recounts days from before energy was counted (decision 370), slowly and the newest first. */
export function darkRecountJob(
  log: { info(details: object, message: string): void },
  clockMs: () => number = () => performance.now(),
): Job {
  let restsUntilMs = 0
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  let after: UntoldDay | undefined
  const say = async (owner: pg.ClientBase) => {
    if (clockMs() - saidAtMs < SAYS_EVERY_MS) return
    saidAtMs = clockMs()
    log.info(await recountProgress(owner), 'dark minutes: days are counted anew, the newest first')
  }
  return {
    name: 'dark minutes of before',
    everyMs: LOOKS_AGAIN_MS,
    retryMs: EVERY_MS,
    async run(owner, now, stopped) {
      const beganAtMs = clockMs()
      if (beganAtMs < restsUntilMs) return { againInMs: restsUntilMs - beganAtMs }
      const isOver = () => stopped.aborted || clockMs() - beganAtMs > LONGEST_RUN_MS
      let endedAtMs = beganAtMs
      try {
        const { isDone, counted, last } = await recountDays(owner, { now, isOver, ...(after && { after }) })
        after = last
        if (counted > 0) await say(owner)
        if (isDone && (isUnderWay || counted > 0))
          log.info({}, 'dark minutes: all days whose readings remain are counted anew')
        isUnderWay = counted > 0 && !isDone
        if (isDone) restsUntilMs = clockMs() + LOOKS_AGAIN_MS
      } finally {
        endedAtMs = clockMs()
        restsUntilMs = Math.max(restsUntilMs, endedAtMs + RESTS_TIMES * (endedAtMs - beganAtMs))
      }
      return { againInMs: Math.max(EVERY_MS, restsUntilMs - endedAtMs) }
    },
  }
}

/**
 * Recounts days. Each step is one transaction, so that a process that is killed anywhere leaves a day either as it was
 * or counted. The days themselves show what is left.
 *
 * @param after where the last call ended
 * @returns how many days were looked at, and whether none is left whose readings are all there
 */
export async function recountDays(
  owner: pg.ClientBase,
  { now, isOver, after = NEWEST }: { readonly now: Date; readonly isOver: () => boolean; readonly after?: UntoldDay },
): Promise<{ readonly counted: number; readonly isDone: boolean; readonly last: UntoldDay }> {
  let counted = 0
  let last = after
  while (!isOver()) {
    const taken = await transactionOn(owner, async () => {
      await owner.query(`select ${lockUntilCommit('darkDays')}`)
      const { rows } = await owner.query<UntoldDay>(NEXT_SQL, [last.day, last.device_id, DAYS_AT_ONCE])
      await countAndKeep(owner, rows, now, ({ day }) => [day])
      // The position also moves past days that cannot be counted, such as one that has not begun yet where the device
      // is now.
      last = rows.at(-1) ?? last
      return rows.length
    })
    counted += taken
    if (taken < DAYS_AT_ONCE) return { counted, isDone: true, last: NEWEST }
  }
  return { counted, isDone: false, last }
}

const NEWEST: UntoldDay = { day: 'infinity', device_id: 0 as DeviceId }

/** A local day begins up to 14 hours before its UTC day, so the first complete day does not count. */
const UNTOLD_SQL = `
  select k.device_id, to_char(k.day, 'YYYY-MM-DD') as day from device_dark_day k
  where k.metered_s is null and k.day > (select complete_from from rollup_state)
    and exists (select from device d where d.id = k.device_id and d.deleted_at is null)
    and exists (select from device_component c where c.device_id = k.device_id and c.category_id = ${CATEGORY.display})`

const NEXT_SQL = `${UNTOLD_SQL}
    and k.day <= $1::date and (k.day < $1::date or k.device_id > $2)
  order by k.day desc, k.device_id limit $3`

async function recountProgress(owner: pg.ClientBase): Promise<{ daysLeft: number; newest: LocalDate | null }> {
  const { rows } = await owner.query(
    `select count(*)::integer as "daysLeft", max(day) as newest from (${UNTOLD_SQL}) as untold`,
  )
  return rows[0]
}
