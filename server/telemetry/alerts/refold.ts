import { type FoldedAlert, foldAlerts, type Reading } from '#domain/alerts/alertFold.ts'
import { type ConditionState, UNTOUCHED } from '#domain/alerts/conditionFold.ts'
import { meets } from '#domain/alerts/operators.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { AlertRule } from './alertRules.ts'
import { type AlertPair, type RefoldNeeds, type StoredAlert, storedAlertsFrom, writeRefold } from './refoldRows.ts'

/** Before every reading, and still a moment that the database knows. */
export const LONG_AGO = new Date(-8_000_000_000_000)

/** Readings that are read back at once in search of one that did not meet the condition. */
const LOOK_BACK_ROWS = 5000

/**
 * Folds the readings of a condition again from where one came late, and makes the stored alerts what they would be had
 * all of them come in order (design: Alerts). What a person closed stays.
 *
 * @param queryable in a transaction that holds the lock on the state of the condition
 * @returns whether any alert changed
 */
export async function refold(queryable: Queryable, needs: RefoldNeeds): Promise<boolean> {
  const clean = await lastUnmet(queryable, needs)
  const startAt = clean ?? LONG_AGO
  const stored = await storedAlertsFrom(queryable, needs.deviceId, needs.rule.id, startAt)
  const openBefore = stored.find(({ createdAt }) => createdAt <= startAt)
  const start: ConditionState = clean
    ? { ...UNTOUCHED, lastAtMs: clean.getTime(), alert: openBefore ? 'notActive' : 'none' }
    : UNTOUCHED
  const closes = stored.flatMap(({ closedAfter }) => (closedAfter === null ? [] : [closedAfter.getTime()]))
  const readings = await readingsAfter(queryable, needs, startAt)
  const { alerts, state } = foldAlerts(
    needs.rule,
    start,
    readings,
    closes.sort((a, b) => a - b),
  )
  const pairs = pair(alerts, stored, openBefore)
  return writeRefold(queryable, needs, { pairs, state, startAt })
}

/** Alerts keep their numbers: equal beginnings first, then those that are open or were ended by the same close. */
function pair(
  folded: readonly FoldedAlert[],
  stored: readonly StoredAlert[],
  openBefore: StoredAlert | undefined,
): AlertPair[] {
  const free = new Set(stored)
  const taken = new Map<FoldedAlert, StoredAlert>()
  const take = (alert: FoldedAlert, candidate: StoredAlert | undefined) => {
    if (candidate === undefined) return
    taken.set(alert, candidate)
    free.delete(candidate)
  }
  const find = (isSame: (candidate: StoredAlert) => boolean) => [...free].find(isSame)
  for (const alert of folded) if (alert.openedAtMs === undefined) take(alert, openBefore)
  for (const alert of folded) {
    if (!taken.has(alert))
      take(
        alert,
        find(({ createdAt }) => createdAt.getTime() === alert.openedAtMs),
      )
  }
  for (const alert of folded) {
    if (taken.has(alert)) continue
    take(
      alert,
      find(({ closedAfter }) => (closedAfter?.getTime() ?? undefined) === alert.closedAfterMs),
    )
  }
  return [
    ...[...free].map((candidate) => ({ stored: candidate, folded: undefined })),
    ...folded.map((alert) => ({ stored: taken.get(alert), folded: alert })),
  ]
}

interface ReadingRow {
  readonly device_dt: Date
  readonly value: number | string
}

const readingsSql = ({ layout, fieldIndex }: WatchedField, comparison: '<' | '>') => {
  const column = layout.columns[fieldIndex]
  return `select device_dt, ${column} as value from ${layout.table}
    where device_id = $1 and number = $2 and device_dt ${comparison} $3 and inserted >= $4
      and claimed_at is null and ${column} is not null
    order by device_dt ${comparison === '<' ? 'desc' : 'asc'}`
}

/** The newest reading before the stretch that did not meet the condition: behind it nothing matters any more. */
async function lastUnmet(queryable: Queryable, needs: RefoldNeeds): Promise<Date | undefined> {
  const { rule, deviceId, countsFrom } = needs
  let before = needs.fromAt
  while (true) {
    const { rows } = await queryable.query<ReadingRow>(`${readingsSql(rule, '<')} limit ${LOOK_BACK_ROWS}`, [
      deviceId,
      rule.number,
      before,
      countsFrom,
    ])
    const unmet = rows.find(({ value }) => !meets(rule.operator, value, rule.threshold))
    const oldest = rows.at(-1)
    if (unmet || oldest === undefined || rows.length < LOOK_BACK_ROWS) return unmet?.device_dt
    before = oldest.device_dt
  }
}

/** What has to be known of a condition to read what it watches. */
export type WatchedField = Pick<AlertRule, 'layout' | 'number' | 'fieldIndex'>

export interface ReadingsNeeds {
  readonly deviceId: DeviceId
  readonly rule: WatchedField
  /** Readings that arrived before are left out. */
  readonly countsFrom: Date
}

/** Stored readings of a field after a device time, oldest first, without those whose clock was not believed. */
export async function readingsAfter(
  queryable: Queryable,
  needs: ReadingsNeeds,
  startAt: Date,
): Promise<readonly Reading[]> {
  const { rule, deviceId, countsFrom } = needs
  const { rows } = await queryable.query<ReadingRow>(readingsSql(rule, '>'), [
    deviceId,
    rule.number,
    startAt,
    countsFrom,
  ])
  return rows.map(({ device_dt, value }) => ({ atMs: device_dt.getTime(), value }))
}
