import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { chainFrom, copiesIn, piecesIn, SUMMARY_FILE } from './copyNames.ts'
import { logPositionOf } from './logPosition.ts'
import { isSealedWith } from './seal/sealedFile.ts'

/** What lies in the folder of backups, of this database since it last went on from a backup. */
export interface BackupState {
  readonly copies: number
  /** When the newest whole copy ended. */
  readonly copiedAt: Date | undefined
  /** Up to where the log follows that copy without a gap. */
  readonly reachesTo: Date | undefined
  /** There is log behind a gap: it is of no use before the next copy. */
  readonly hasGap: boolean
  /** The newest copy was sealed with the key of now: the log that follows it could not be read by its key otherwise. */
  readonly isOfKey: boolean
  readonly freeBytes: number
}

/** @throws when the folder cannot be read or written */
export async function readBackupState(
  folder: string,
  pool: Pick<pg.Pool, 'query'>,
  key: Buffer | undefined,
): Promise<BackupState> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const { rows } = await pool.query<{ system: string; timeline: number }>(
    `select s.system_identifier::text as system, c.timeline_id as timeline
     from pg_control_system() s, pg_control_checkpoint() c`,
  )
  const { system = '', timeline } = rows[0] ?? {}
  const copies = (await copiesIn(folder, system)).copies.filter(({ facts }) => facts.timeline === timeline)
  const pieces = (await piecesIn(folder, system)).filter((piece) => piece.timeline === timeline)
  const { bavail, bsize } = await statfs(folder)
  const newest = copies.at(-1)
  const chain = newest ? chainFrom(pieces, newest.facts.timeline, logPositionOf(newest.facts.endPosition)) : []
  const last = chain.at(-1)
  const copiedAt = newest && new Date(newest.facts.endedAt)
  return {
    copies: copies.length,
    copiedAt,
    reachesTo: last?.reachesTo ?? copiedAt,
    hasGap: newest !== undefined && (pieces.at(-1)?.to ?? 0n) > (last?.to ?? logPositionOf(newest.facts.endPosition)),
    isOfKey: newest === undefined || (await isSealedWith(join(newest.folder, SUMMARY_FILE), 'summary', key)),
    freeBytes: bavail * bsize,
  }
}

/** Whether a whole copy is to be taken now. */
export function copiesDue({ copiedAt, hasGap, isOfKey }: BackupState, now: Date, everyMs: number): boolean {
  return copiedAt === undefined || hasGap || !isOfKey || now.getTime() - copiedAt.getTime() >= everyMs
}

const FEWEST_FREE_BYTES = 512 * 1024 * 1024
/** What is promised: the loss of a machine costs no more than this. */
const LONGEST_UNKEPT_MS = 5 * MINUTE_MS
/** A copy takes its time, and may fail once. */
const LATEST_COPY_MS = 2 * HOUR_MS
const LOOK_AGAIN_AFTER_MS = 5 * SECOND_MS

export interface BackupWatchNeeds {
  readonly everyHours: number
  readonly readState: () => Promise<BackupState>
  readonly now?: () => Date
}

export interface BackupGauges {
  readonly copies: number
  readonly copyAgeSeconds: number | undefined
  readonly logAgeSeconds: number | undefined
}

/** What is wrong with backups, in words, and how old they are; asked often, so what was read is known for some seconds. */
export class BackupWatch {
  readonly #needs: BackupWatchNeeds
  readonly #now: () => Date
  readonly #beganAt: Date
  #known: { readonly atMs: number; readonly state: Promise<BackupState> } | undefined

  constructor(needs: BackupWatchNeeds) {
    this.#needs = needs
    this.#now = needs.now ?? (() => new Date())
    this.#beganAt = this.#now()
  }

  readonly trouble = async (): Promise<string | undefined> => {
    try {
      return troubleIn(await this.#state(), this.#beganAt, this.#now(), this.#needs.everyHours * HOUR_MS)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // The database has its own check.
      const isOfFolder = typeof code === 'string' && /^E[A-Z]+$/.test(code) && !/^E(CONN|TIMEDOUT|PIPE)/.test(code)
      return isOfFolder ? `The folder of backups cannot be read and written: ${code}.` : undefined
    }
  }

  async gauges(): Promise<BackupGauges> {
    const { copies, copiedAt, reachesTo } = await this.#state()
    const ageSeconds = (moment: Date | undefined) =>
      moment && Math.max(0, Math.round((this.#now().getTime() - moment.getTime()) / SECOND_MS))
    return { copies, copyAgeSeconds: ageSeconds(copiedAt), logAgeSeconds: ageSeconds(reachesTo) }
  }

  #state(): Promise<BackupState> {
    const nowMs = this.#now().getTime()
    if (!this.#known || nowMs - this.#known.atMs > LOOK_AGAIN_AFTER_MS) {
      this.#known = { atMs: nowMs, state: this.#needs.readState() }
    }
    return this.#known.state
  }
}

/** Red long before the log that is held back fills the disk of the database. */
function troubleIn(state: BackupState, beganAt: Date, now: Date, everyMs: number): string | undefined {
  const sinceMs = (moment: Date | undefined) => now.getTime() - (moment ?? beganAt).getTime()
  // Who has just started is given the time to go on.
  const upMs = now.getTime() - beganAt.getTime()
  if (state.freeBytes < FEWEST_FREE_BYTES) {
    return `The disk of the backups is nearly full: ${Math.floor(state.freeBytes / 1024 / 1024)} MB are free.`
  }
  if (sinceMs(state.copiedAt) > (state.copiedAt ? everyMs : 0) + LATEST_COPY_MS && upMs > LONGEST_UNKEPT_MS) {
    return state.copiedAt
      ? `The newest whole backup is ${Math.floor(sinceMs(state.copiedAt) / HOUR_MS)} hours old.`
      : 'There is no whole backup yet.'
  }
  const unkeptMs = Math.min(sinceMs(state.reachesTo), upMs)
  if (unkeptMs <= LONGEST_UNKEPT_MS) return undefined
  return `The log of the database has not reached the backups for ${Math.floor(unkeptMs / MINUTE_MS)} minutes.`
}
