import type pg from 'pg'
import { formatDuration } from '#domain/units/durations.ts'
import { jumpMs, lookAtClock } from '../db/partitions/clockState.ts'
import { type DayTable, findOldDayTables } from '../db/partitions/oldPartitions.ts'
import { daysAround } from '../db/partitions/partitions.ts'
import type { Job } from './JobRunner.ts'

const LOOK_EVERY_MS = 5_000
/** The clocks of this process and the database may differ this much. */
const MOST_APART_MS = 60_000
/** A job that had to wait for the clock runs this soon after it is right again. */
const TRY_AGAIN_MS = 10_000

export interface ClockWatchDeps {
  readonly pool: pg.Pool
  readonly retentionDays: number
  readonly log: { error(details: object, sentence: string): void; info(details: object, sentence: string): void }
}

interface Troubles {
  readonly apart?: string | undefined
  readonly jump?: string | undefined
}

/**
 * The database's clock decides (decision 110). Every process compares its own with it, and both with when the
 * database's was last seen: a clock that may be wrong deletes nothing.
 */
export class ClockWatch {
  readonly #deps: ClockWatchDeps
  #timer: NodeJS.Timeout | undefined
  /** The monotonic clock of this process plus this gives the database's time. */
  #databaseAheadMs = Date.now() - performance.now()
  #hasLooked = false
  #looking: Promise<void> | undefined
  #keptDays: { readonly fromMs: number; readonly toMs: number } | undefined
  #troubles: Troubles = {}

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => {
      // Whoever stores something reports that the database does not answer.
      this.look().catch(() => undefined)
    }, LOOK_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Returns the database's time, also while it does not answer or has jumped. */
  readonly now = (): Date => new Date(performance.now() + this.#databaseAheadMs)

  /** Returns the days that existed before the clock jumped, while it is so. */
  readonly keptDays = () => this.#keptDays

  readonly clockTrouble = (): string | undefined => this.#troubles.apart

  /** Returns why no days are made and dropped. */
  readonly jumpTrouble = (): string | undefined => this.#troubles.jump

  /** One check runs at a time, so that a silent database does not take one connection after the other. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { pool, retentionDays } = this.#deps
    const askedAt = performance.now()
    const clock = await lookAtClock(pool)
    const tookMs = performance.now() - askedAt
    const databaseAheadMs = clock.now.getTime() - (askedAt + tookMs / 2)
    const aheadMs = Date.now() - (performance.now() + databaseAheadMs)
    const jump = jumpMs(clock.seenAt, clock.now.getTime()) ?? jumpMs(clock.seenAt, Date.now())
    // A jump under a running process is not followed: devices report by the earlier time.
    if (jump === undefined || !this.#hasLooked) this.#databaseAheadMs = databaseAheadMs
    this.#hasLooked = true
    this.#keptDays = jump === undefined || !clock.seenAt ? undefined : daysAround(clock.seenAt, retentionDays)
    const byTime = new Date((clock.seenAt?.getTime() ?? 0) + (jump ?? 0))
    this.#note({
      apart: Math.abs(aheadMs) > MOST_APART_MS + tookMs ? apartText(aheadMs) : undefined,
      jump:
        jump === undefined ? undefined : jumpText(jump, byTime, await findOldDayTables(pool, byTime, retentionDays)),
    })
  }

  /** Logs a trouble once when it begins and once when it ends. */
  #note(found: Troubles): void {
    const before = this.#troubles
    this.#troubles = found
    for (const which of ['apart', 'jump'] as const) {
      const words = found[which]
      if (words && !before[which]) this.#deps.log.error({}, words)
    }
    const isOver = !found.apart && !found.jump
    if (isOver && (before.apart || before.jump)) this.#deps.log.info({}, 'The clock is right again.')
  }

  /** Wraps a job that makes days: it waits while the clock has jumped. */
  steady(job: Job): Job {
    return this.#waiting(job, () => this.#troubles.jump)
  }

  /** Wraps a job that deletes: it waits while the clock may be wrong. */
  deleting(job: Job): Job {
    return this.#waiting(job, () => this.#troubles.apart ?? this.#troubles.jump)
  }

  #waiting(job: Job, trouble: () => string | undefined): Job {
    return {
      ...job,
      run: async (owner, _now, stopped) => {
        // The clock may have been set since the last check.
        await this.look()
        if (trouble() !== undefined) return { againInMs: TRY_AGAIN_MS }
        return job.run(owner, this.now(), stopped)
      },
    }
  }
}

const span = (ms: number) => formatDuration(Math.abs(ms) / 1000)
const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function apartText(aheadMs: number): string {
  return (
    `The clock of this process is ${span(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's: ` +
    'this process deletes nothing until they agree.'
  )
}

function jumpText(jump: number, to: Date, old: readonly DayTable[]): string {
  const from = new Date(to.getTime() - jump)
  const days = old.map(({ name }) => name.slice(-8))
  const what = days.length === 0 ? 'None' : `${days.length} tables of the days ${days[0]} to ${days.at(-1)}`
  return (
    `The clock jumped ${jump > 0 ? 'forwards' : 'backwards'} from ${moment(from)} to ${moment(to)}: ` +
    `nothing is deleted, and no days are made or dropped. ${what} would be dropped. ` +
    'Set the clock right, or, if it is right, run "npm run admin -- drop-old-days --confirm".'
  )
}
