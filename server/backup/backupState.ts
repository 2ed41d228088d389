import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { chainFrom, copiesIn, type Gap, gapsBetween, piecesIn, restorableTo, SUMMARY_FILE } from './log/copyNames.ts'
import { logPositionOf } from './log/logPosition.ts'
import { BackupRefused } from './seal/backupRefused.ts'
import { isSealedWith } from './seal/sealedFile.ts'
import { isEncrypted } from './seal/sealedRecord.ts'

/** Describes the folder of backups, for this database since it last went on from a backup. */
export interface BackupState {
  readonly copies: number
  /** The newest whole copy ended then. */
  readonly copiedAt: Date | undefined
  /** The log follows that copy without a gap up to this moment. */
  readonly reachesTo: Date | undefined
  /** Behind a gap that has not ended, the log is of no use before the next copy. */
  readonly gaps: readonly Gap[]
  /** The newest copy was sealed with the present key; otherwise the log behind it could not be read by its key. */
  readonly isOfKey: boolean
  /** Backups are encrypted and there is no key now: a restore would refuse what is written without one. */
  readonly lacksKey: boolean
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
    reachesTo: newest && restorableTo(newest, last?.reachesTo),
    gaps: gapsBetween(copies, pieces),
    isOfKey: newest === undefined || (await isSealedWith(join(newest.folder, SUMMARY_FILE), 'summary', key)),
    lacksKey: !key && newest !== undefined && (await isEncrypted(join(newest.folder, SUMMARY_FILE), 'summary')),
    freeBytes: bavail * bsize,
  }
}

export function copiesDue({ copiedAt, gaps, isOfKey }: BackupState, now: Date, everyMs: number): boolean {
  const isBehindGap = gaps.some(({ to }) => to === undefined)
  return copiedAt === undefined || isBehindGap || !isOfKey || now.getTime() - copiedAt.getTime() >= everyMs
}

const LACKS_KEY =
  'There is no WAYSIDE_BACKUP_KEY, and the backups in the folder are encrypted: none is taken without it, and the ' +
  'database holds its log for them.'

/** Refuses a start without the key: a restore refuses plain files beside encrypted ones, which would leave a gap. */
export function refuseWithoutKey({ lacksKey }: BackupState): void {
  if (lacksKey) throw new BackupRefused(LACKS_KEY)
}

const FEWEST_FREE_BYTES = 512 * 1024 * 1024
/** The product promises that the loss of a machine costs no more than this. */
const LONGEST_UNKEPT_MS = 5 * MINUTE_MS
/** A copy takes its time, and may fail once. */
const LATEST_COPY_MS = 2 * HOUR_MS
const LOOK_AGAIN_AFTER_MS = 5 * SECOND_MS

export interface BackupWatchDeps {
  readonly everyHours: number
  readonly keepDays: number
  readonly readState: () => Promise<BackupState>
  readonly now?: () => Date
}

export interface BackupGauges {
  readonly copies: number
  readonly copyAgeSeconds: number | undefined
  readonly logAgeSeconds: number | undefined
}

/** Says what is wrong with backups and how old they are; what was read is cached for some seconds. */
export class BackupWatch {
  readonly #deps: BackupWatchDeps
  readonly #now: () => Date
  readonly #beganAt: Date
  #known: { readonly atMs: number; readonly state: Promise<BackupState> } | undefined

  constructor(deps: BackupWatchDeps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => new Date())
    this.#beganAt = this.#now()
  }

  readonly trouble = () =>
    this.#troubleIn((state) => troubleIn(state, this.#beganAt, this.#now(), this.#deps.everyHours * HOUR_MS))

  /** A gap is reported beside every other trouble: it lasts for days, and must not hide anything else. */
  readonly gapTrouble = () =>
    this.#troubleIn((state) => gapTroubleIn(state, new Date(this.#now().getTime() - this.#deps.keepDays * DAY_MS)))

  async #troubleIn(judge: (state: BackupState) => string | undefined): Promise<string | undefined> {
    try {
      return judge(await this.#state())
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Errors of the database have a check of their own.
      const isOfFolder = typeof code === 'string' && /^E[A-Z]+$/.test(code) && !/^E(CONN|TIMEDOUT|PIPE)/.test(code)
      return isOfFolder
        ? `The folder of backups (WAYSIDE_BACKUP_FOLDER) cannot be read and written: ${code}.`
        : undefined
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
      this.#known = { atMs: nowMs, state: this.#deps.readState() }
    }
    return this.#known.state
  }
}

/** @param since the moment back to which everything is promised */
function gapTroubleIn({ gaps }: BackupState, since: Date): string | undefined {
  const gap = gaps.findLast(({ to }) => to === undefined || to > since)
  if (!gap) return undefined
  return gap.to
    ? `There is a gap in the backups from ${gap.from.toISOString()} to ${gap.to.toISOString()}: no moment between them can be restored.`
    : `There is a gap in the backups from ${gap.from.toISOString()} on: no moment behind it can be restored before the next whole copy.`
}

/** Reports trouble long before the retained log fills the disk of the database. */
function troubleIn(state: BackupState, beganAt: Date, now: Date, everyMs: number): string | undefined {
  const sinceMs = (moment: Date | undefined) => now.getTime() - (moment ?? beganAt).getTime()
  // A server that has just started needs time to go on.
  const upMs = now.getTime() - beganAt.getTime()
  if (state.lacksKey) return LACKS_KEY
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
