import type { CopyBuffer } from '#server/db/copying/CopyBuffer.ts'
import { literal, type Step } from '#server/db/copying/pipelinedTransaction.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

/** The most bytes a row can take without its texts: key columns, and 8 bytes for each field. */
const keyBytes = (fields: number) => 12 + 12 + 12 + 5 + 8 + 6 + fields * 8 + 4

interface UsedColumns {
  readonly fields: readonly number[]
  readonly hasClaimed: boolean
  readonly hasCorrected: boolean
  readonly hasExtra: boolean
  readonly names: readonly string[]
}

/** Whether the device's clock is wrong by a known amount. */
const isCorrected = ({ claimedAtMs, isBelieved }: CheckedReport) => claimedAtMs !== undefined && isBelieved

/** Finds the columns that some row of the batch fills, because only those are sent. */
function usedColumns(layout: EventLayout, reports: readonly CheckedReport[]): UsedColumns {
  const isUsed = new Array<boolean>(layout.fields.length).fill(false)
  let hasClaimed = false
  let hasCorrected = false
  let hasExtra = false
  for (const report of reports) {
    const { numbers, texts } = report
    for (let index = 0; index < numbers.length; index++) {
      const value = numbers[index]
      if (!Number.isNaN(value ?? Number.NaN)) isUsed[index] = true
    }
    if (texts !== undefined) {
      for (let index = 0; index < texts.length; index++) if (texts[index] !== undefined) isUsed[index] = true
    }
    if (report.claimedAtMs !== undefined) hasClaimed = true
    if (isCorrected(report)) hasCorrected = true
    if (report.extra !== undefined) hasExtra = true
  }
  const fields = layout.fields.map((_, index) => index).filter((index) => isUsed[index])
  const names = [
    'device_dt',
    'inserted',
    ...(hasClaimed ? ['claimed_at'] : []),
    ...(hasCorrected ? ['is_corrected'] : []),
    'device_id',
    'number',
  ]
  for (const index of fields) names.push(layout.columns[index] ?? '')
  if (hasExtra) names.push('extra')
  return { fields, hasClaimed, hasCorrected, hasExtra, names }
}

/** Writes new reports, by one COPY for each event type. It fails as a whole if one is already stored. */
export function copyStep(layout: EventLayout, reports: readonly CheckedReport[], buffer: CopyBuffer): Step {
  const used = usedColumns(layout, reports)
  const isText = layout.fields.map(({ storage }) => storage === 'text')
  const isInteger = layout.fields.map(({ storage }) => storage === 'integer')
  const rowBytes = keyBytes(used.fields.length)
  buffer.begin()
  for (const report of reports) {
    const { numbers, texts } = report
    buffer.row(used.names.length, rowBytes)
    buffer.timestamp(report.atMs)
    buffer.timestamp(report.receivedAtMs)
    if (used.hasClaimed) {
      if (report.claimedAtMs === undefined) buffer.absent()
      else buffer.timestamp(report.claimedAtMs)
    }
    if (used.hasCorrected) {
      if (isCorrected(report)) buffer.boolean(true)
      else buffer.absent()
    }
    buffer.int32(report.deviceId)
    buffer.int16(report.number)
    for (const index of used.fields) {
      if (isText[index]) {
        const text = texts?.[index]
        if (text === undefined) buffer.absent()
        else buffer.text(text, rowBytes)
        continue
      }
      const value = numbers[index] ?? Number.NaN
      if (Number.isNaN(value)) buffer.absent()
      else if (isInteger[index]) buffer.int32(value)
      else buffer.real(value)
    }
    if (used.hasExtra) {
      if (report.extra === undefined) buffer.absent()
      else buffer.json(JSON.stringify(report.extra))
    }
  }
  return { sql: `copy ${layout.table} (${used.names.join(', ')}) from stdin (format binary)`, copy: buffer.end() }
}

/**
 * Writes any other reports. It only fills nulls, so that a report sent twice changes nothing and two partial reports of
 * one instant both survive. The reports must have different keys.
 *
 * @param condition in SQL, of the rows that are written
 */
export function upsertStep(layout: EventLayout, reports: readonly CheckedReport[], condition = 'true'): Step {
  const { table } = layout
  const { names } = usedColumns(layout, reports)
  const values = names.filter((name) => name.startsWith('"'))
  const hasExtra = names.includes('extra')
  const fill = values.map((name) => `${name} = coalesce(t.${name}, excluded.${name})`)
  const isMissing = values.map((name) => `(t.${name} is null and excluded.${name} is not null)`)
  if (hasExtra) {
    fill.push('extra = coalesce(excluded.extra || t.extra, t.extra, excluded.extra)')
    isMissing.push(
      '(excluded.extra is not null and not coalesce(t.extra ?& array(select jsonb_object_keys(excluded.extra)), false))',
    )
  }
  const conflict = fill.length === 0 ? 'nothing' : `update set ${fill.join(', ')} where ${isMissing.join(' or ')}`
  const list = names.join(', ')
  return {
    sql:
      `insert into ${table} as t (${list}) ` +
      `select ${list} from json_populate_recordset(null::${table}, ${literal(rowsAsJson(layout, reports))}) ` +
      `where ${condition} on conflict (device_id, number, device_dt) do ${conflict}`,
  }
}

function rowsAsJson(layout: EventLayout, reports: readonly CheckedReport[]): string {
  return JSON.stringify(
    reports.map((report) => {
      const row: Record<string, unknown> = {
        device_dt: isoText(report.atMs),
        inserted: isoText(report.receivedAtMs),
        device_id: report.deviceId,
        number: report.number,
      }
      if (report.claimedAtMs !== undefined) row.claimed_at = isoText(report.claimedAtMs)
      if (isCorrected(report)) row.is_corrected = true
      if (report.extra !== undefined) row.extra = report.extra
      layout.fields.forEach(({ name, storage }, index) => {
        const value = report.numbers[index] ?? Number.NaN
        if (storage === 'text') row[name] = report.texts?.[index]
        // The value is rounded here, because PostgreSQL would round the decimal text and might end one step beside
        // COPY.
        else if (!Number.isNaN(value)) row[name] = storage === 'real' ? Math.fround(value) : value
      })
      return row
    }),
  )
}
