import { formatBytes } from '#domain/units/bytes.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { HOUR_MS, SECOND_MS } from '#domain/units/time.ts'
import type { MeasuredWork, PlannedMigration, UpgradePlan } from '../db/upgrade/upgradePlan.ts'

export interface PreflightFacts extends UpgradePlan {
  /** Free bytes on the database's disk; undefined when it is on another machine. */
  readonly freeBytes: number | undefined
  /** Says until when a restore is possible; `not set` when no folder of backups is known here. */
  readonly backup: { readonly reachesTo: Date | undefined } | { readonly trouble: string } | 'not set'
  /** Says over which machines the tables are distributed; undefined when all are on one. */
  readonly place?: string | undefined
  readonly now: Date
}

export interface PreflightReport {
  readonly lines: readonly string[]
  readonly isClear: boolean
}

const OLD_BACKUP_MS = HOUR_MS
/** The log of the database needs room too, and grows with what is written. */
const SPARE_FACTOR = 2

export function preflightReport(facts: PreflightFacts): PreflightReport {
  const { refusal, planned, at, newest } = facts
  if (refusal !== undefined) return { lines: [refusal], isClear: false }
  const against = whatStandsAgainst(facts)
  const place = at === 0 ? 'The database is empty' : `The database has migrations up to ${at}`
  return {
    lines: [
      `${place}, this program knows them up to ${newest}.`,
      ...plannedLabel(planned),
      ...aheadText(facts),
      ...(facts.place === undefined ? [] : [facts.place]),
      '',
      wayBackText(facts),
      backupText(facts),
      ...(against.length === 0 ? ['Nothing stands against it.'] : ['', 'Before you begin:', ...against.map(indented)]),
    ],
    isClear: against.length === 0,
  }
}

const indented = (text: string) => `  ${text}`

function plannedLabel(planned: readonly PlannedMigration[]): readonly string[] {
  if (planned.length === 0) return ['Nothing would be changed: it can start at any time.']
  const allMs = planned.flatMap(({ works }) => works).reduce((total, { ms }) => total + ms, 0)
  return [
    `${planned.length === 1 ? 'One migration' : `${planned.length} migrations`} would run, each of them whole or not at all:`,
    ...planned.flatMap(({ fileName, title, works }) => [
      indented(`${fileName.slice(0, 4)}  ${title}`),
      ...works.map((work) => indented(`      ${workText(work)}`)),
    ]),
    `Together ${aboutText(allMs)}, tried on this database just now. Servers of the version before go on meanwhile.`,
  ]
}

const WORK_WORDS = {
  reads: 'reads all of it, nobody writes to it meanwhile',
  rewrites: 'writes all of it anew, nobody reads or writes it meanwhile',
  changes: 'may change all its rows, which can be read meanwhile',
  copies: 'copies from it',
} as const

const workText = ({ table, kind, bytes, ms }: MeasuredWork) =>
  `${table} (${formatBytes(bytes)}): ${WORK_WORDS[kind]}, ${aboutText(ms)}`

const aboutText = (ms: number) =>
  ms < SECOND_MS ? 'less than a second' : `about ${formatDuration(Math.ceil(ms / SECOND_MS))}`

function aheadText({ ahead }: PreflightFacts): readonly string[] {
  if (ahead.length === 0) return []
  return [`A newer version ran ${ahead.join(', ')} already; this program runs beside it, being the version before.`]
}

function wayBackText({ noWayBack, at, planned }: PreflightFacts): string {
  if (at === 0) return 'There is nothing to go back to.'
  if (planned.length === 0) return 'Way back: put the program before in its place at any time.'
  if (noWayBack === undefined) {
    return 'Way back: put the program before in its place at any time; it runs on the new schema, and nothing is lost.'
  }
  return `Way back: only from a backup, without what was stored since. The program before does not start on ${noWayBack}.`
}

function backupText({ backup, now }: PreflightFacts): string {
  if (backup === 'not set') return 'Backups: none is known here (WAYSIDE_BACKUP_FOLDER is not set).'
  if ('trouble' in backup) return `Backups: cannot be read. ${backup.trouble}`
  if (backup.reachesTo === undefined) return 'Backups: there is none yet.'
  return `Backups: all up to ${agoText(now.getTime() - backup.reachesTo.getTime())} ago can be restored.`
}

const agoText = (ms: number) => (ms < SECOND_MS ? 'a second' : formatDuration(Math.round(ms / SECOND_MS)))

function whatStandsAgainst(facts: PreflightFacts): readonly string[] {
  const { freeBytes, neededBytes, openTransactions, planned } = facts
  if (planned.length === 0) return []
  const isShort = freeBytes !== undefined && freeBytes < neededBytes * SPARE_FACTOR
  return [
    ...(isShort
      ? [`The disk has ${formatBytes(freeBytes)} left; up to ${formatBytes(neededBytes * SPARE_FACTOR)} may be needed.`]
      : []),
    ...openTransactions.map(
      ({ pid, application, openMs }) =>
        `A transaction of “${application}” (process ${pid} of the database) is open for ${agoText(openMs)}: migrations wait for it.`,
    ),
    ...(facts.noWayBack !== undefined && !isFresh(facts)
      ? ['The way back is a backup, and none reaches to within an hour of now: npm run backup']
      : []),
  ]
}

const isFresh = ({ backup, now }: PreflightFacts): boolean =>
  typeof backup === 'object' &&
  'reachesTo' in backup &&
  backup.reachesTo !== undefined &&
  now.getTime() - backup.reachesTo.getTime() < OLD_BACKUP_MS
