import { type FoldedAlert, foldAlerts } from '#domain/alerts/fold/alertFold.ts'
import { type ConditionState, UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import { NO_MEMORY } from '#domain/alerts/fold/conditionJudge.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { cleanStart, LONG_AGO, samplesAfter } from '../conditionReadings.ts'
import { readConflictSpans } from './conflictSpans.ts'
import { type AlertPair, type RefoldDeps, type StoredAlert, storedAlertsFrom, writeRefold } from './refoldRows.ts'

/**
 * Folds the readings of a condition again from where one came late, and makes the stored alerts what they would be had
 * all readings come in order (rules/alerts 9). What a person closed stays closed.
 *
 * @param queryable in a transaction that holds the lock on the state of the condition
 * @returns whether any alert changed
 */
export async function refold(queryable: Queryable, deps: RefoldDeps): Promise<boolean> {
  const contested = await readConflictSpans(queryable, deps.deviceId)
  const clean = await cleanStart(queryable, deps, deps.fromAt, contested)
  const startAt = clean?.at ?? LONG_AGO
  const stored = await storedAlertsFrom(queryable, deps.deviceId, deps.rule.id, startAt)
  const openBefore = stored.find(({ createdAt }) => createdAt <= startAt)
  const start: ConditionState = clean
    ? { ...UNTOUCHED, lastAtMs: clean.at.getTime(), alert: openBefore ? 'notActive' : 'none' }
    : UNTOUCHED
  const closes = stored.flatMap(({ closedAfter }) => (closedAfter === null ? [] : [closedAfter.getTime()]))
  const samples = await samplesAfter(queryable, deps, startAt)
  const { alerts, state } = foldAlerts(
    deps.rule,
    { state: start, memory: clean?.memory ?? NO_MEMORY },
    samples,
    closes.sort((a, b) => a - b),
    { clockMs: deps.clockAt?.getTime(), contested },
  )
  const pairs = pair(alerts, stored, openBefore)
  return writeRefold(queryable, deps, { pairs, state, startAt })
}

/** Alerts keep their ids: first by equal beginnings, then those that are open or were ended by the same close. */
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
