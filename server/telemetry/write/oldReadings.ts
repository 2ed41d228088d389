import { DAY_MS } from '#domain/units/time.ts'
import { shareUntilCommit } from '#server/db/advisoryLocks.ts'
import { literal, type Step } from '#server/db/copying/pipelinedTransaction.ts'
import { FILL_LATE, jsonNumber } from '#server/telemetry/closed/lateReadings.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { LOOK_LAYOUT, rowLayoutFor } from '#server/telemetry/ingress/rowLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { Looks } from './looks.ts'
import { rowOf, upsertStep } from './readingRows.ts'

/** No day is closed that is not at least twice as old. */
const OLD_AFTER_MS = DAY_MS

/** Whether a report's day may be closed already, so that the database decides where it belongs. */
export const isOld = ({ atMs, receivedAtMs }: CheckedReport): boolean => atMs < receivedAtMs - OLD_AFTER_MS

const CLOSING_BEFORE = `(select closing_before::timestamp at time zone 'UTC' from closing_state)`

/** Old readings are written while no day begins to be closed: to its partition, or to the late readings (rules/readings 6). */
export function oldReadingSteps(old: ReadonlyMap<EventLayout, readonly CheckedReport[]>): Step[] {
  if (old.size === 0) return []
  const steps: Step[] = [{ sql: `select ${shareUntilCommit('oldReadings')}` }]
  const looks = new Looks()
  const isOpen = `device_dt >= ${CLOSING_BEFORE}`
  for (const [layout, reports] of old) {
    const alone = reports.filter((report) => !looks.add(report)).map(rowOf)
    if (alone.length > 0) steps.push(upsertStep(rowLayoutFor(layout), alone, isOpen))
    steps.push(lateStep(layout, reports))
  }
  const rows = looks.rows()
  if (rows.length > 0) steps.push(upsertStep(LOOK_LAYOUT, rows, isOpen))
  return steps
}

function lateStep(layout: EventLayout, reports: readonly CheckedReport[]): Step {
  const columns = 'device_id, event_type_id, number, device_dt, inserted, claimed_at, is_corrected, fields, extra'
  return {
    sql:
      `insert into late_reading as t (${columns}) select ${columns} ` +
      `from json_populate_recordset(null::late_reading, ${literal(JSON.stringify(reports.map((one) => lateRow(layout, one))))}) ` +
      `where device_dt < ${CLOSING_BEFORE} ${FILL_LATE}`,
  }
}

function lateRow({ type, fields }: EventLayout, report: CheckedReport) {
  const values: Record<string, number | string> = {}
  fields.forEach(({ name, storage }, index) => {
    const text = report.texts?.[index]
    const number = report.numbers[index] ?? Number.NaN
    if (storage === 'text') {
      if (text !== undefined) values[name] = text
    } else if (!Number.isNaN(number)) values[name] = jsonNumber(storage === 'real' ? Math.fround(number) : number)
  })
  const { claimedAtMs } = report
  return {
    device_id: report.deviceId,
    event_type_id: type.id,
    number: report.number,
    device_dt: isoText(report.atMs),
    inserted: isoText(report.receivedAtMs),
    ...(claimedAtMs !== undefined && { claimed_at: isoText(claimedAtMs) }),
    ...(claimedAtMs !== undefined && report.isBelieved && { is_corrected: true }),
    fields: values,
    ...(report.extra !== undefined && { extra: report.extra }),
  }
}
