import type { CopyBuffer } from '#server/db/copying/CopyBuffer.ts'
import { literal, type Step } from '#server/db/copying/pipelinedTransaction.ts'
import { quoted } from '#server/db/partitions/readingTables.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import type { RowLayout } from '#server/telemetry/ingress/rowLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

/** What a row of readings holds: one report, or all of a look. */
export interface ReadingRow
  extends Pick<CheckedReport, 'deviceId' | 'atMs' | 'receivedAtMs' | 'claimedAtMs' | 'isBelieved'> {
  /** Only where it is part of the key. */
  readonly number?: number
  /** Values by index of the layout's fields. NaN means absent. */
  readonly numbers: number[]
  readonly texts: readonly (string | undefined)[] | undefined
  /** By index of the layout's extras. */
  readonly extras: readonly CheckedReport['extra'][]
}

const NO_EXTRAS: ReadingRow['extras'] = []

/** The row of a report that has one of its own. To spread the report takes six times as long. */
export function rowOf(report: CheckedReport): ReadingRow {
  const { deviceId, number, atMs, receivedAtMs, claimedAtMs, isBelieved, numbers, texts, extra } = report
  const extras = extra === undefined ? NO_EXTRAS : [extra]
  return { deviceId, number, atMs, receivedAtMs, claimedAtMs, isBelieved, numbers, texts, extras }
}

/** The most bytes a row can take without its texts: key columns, and 8 bytes for each other one. */
const keyBytes = (columns: number) => 12 + 12 + 12 + 5 + 8 + 6 + columns * 8

interface UsedColumns {
  readonly fields: readonly number[]
  readonly extras: readonly number[]
  readonly hasClaimed: boolean
  readonly hasCorrected: boolean
  readonly hasNumber: boolean
  readonly names: readonly string[]
}

/** Whether the device's clock is wrong by a known amount. */
const isCorrected = ({ claimedAtMs, isBelieved }: ReadingRow) => claimedAtMs !== undefined && isBelieved

/** Finds the columns that some row of the batch fills, because only those are sent. */
function usedColumns({ key, fields: all, extras: allExtras }: RowLayout, rows: readonly ReadingRow[]): UsedColumns {
  const isUsed = new Array<boolean>(all.length).fill(false)
  const isExtraUsed = new Array<boolean>(allExtras.length).fill(false)
  let hasClaimed = false
  let hasCorrected = false
  for (const row of rows) {
    const { numbers, texts, extras } = row
    for (let index = 0; index < numbers.length; index++) {
      const value = numbers[index]
      if (!Number.isNaN(value ?? Number.NaN)) isUsed[index] = true
    }
    if (texts !== undefined) {
      for (let index = 0; index < texts.length; index++) if (texts[index] !== undefined) isUsed[index] = true
    }
    for (let index = 0; index < extras.length; index++) if (extras[index] !== undefined) isExtraUsed[index] = true
    if (row.claimedAtMs !== undefined) hasClaimed = true
    if (isCorrected(row)) hasCorrected = true
  }
  const fields = all.map((_, index) => index).filter((index) => isUsed[index])
  const extras = allExtras.map((_, index) => index).filter((index) => isExtraUsed[index])
  const hasNumber = key.includes('number')
  const names = [
    'device_dt',
    'inserted',
    ...(hasClaimed ? ['claimed_at'] : []),
    ...(hasCorrected ? ['is_corrected'] : []),
    'device_id',
    ...(hasNumber ? ['number'] : []),
    ...fields.map((index) => quoted(all[index]?.name ?? '')),
    ...extras.map((index) => quoted(allExtras[index] ?? '')),
  ]
  return { fields, extras, hasClaimed, hasCorrected, hasNumber, names }
}

/** Writes new rows, by one COPY for each table. It fails as a whole if one is already stored. */
export function copyStep(layout: RowLayout, rows: readonly ReadingRow[], buffer: CopyBuffer): Step {
  const used = usedColumns(layout, rows)
  const isText = layout.fields.map(({ storage }) => storage === 'text')
  const isInteger = layout.fields.map(({ storage }) => storage === 'integer')
  const rowBytes = keyBytes(used.fields.length + used.extras.length)
  buffer.begin()
  for (const row of rows) {
    const { numbers, texts, extras } = row
    buffer.row(used.names.length, rowBytes)
    buffer.timestamp(row.atMs)
    buffer.timestamp(row.receivedAtMs)
    if (used.hasClaimed) {
      if (row.claimedAtMs === undefined) buffer.absent()
      else buffer.timestamp(row.claimedAtMs)
    }
    if (used.hasCorrected) {
      if (isCorrected(row)) buffer.boolean(true)
      else buffer.absent()
    }
    buffer.int32(row.deviceId)
    if (used.hasNumber) buffer.int16(row.number ?? 0)
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
    for (const index of used.extras) {
      const extra = extras[index]
      if (extra === undefined) buffer.absent()
      else buffer.json(JSON.stringify(extra), rowBytes)
    }
  }
  return { sql: `copy ${layout.table} (${used.names.join(', ')}) from stdin (format binary)`, copy: buffer.end() }
}

/**
 * Writes any other rows. It only fills nulls, so that a report sent twice changes nothing and two partial reports of one
 * instant both survive. The rows must have different keys.
 *
 * @param condition in SQL, of the rows that are written
 */
export function upsertStep(layout: RowLayout, rows: readonly ReadingRow[], condition = 'true'): Step {
  const { table, key, fields } = layout
  const used = usedColumns(layout, rows)
  const values = used.fields.map((index) => quoted(fields[index]?.name ?? ''))
  const extras = used.extras.map((index) => quoted(layout.extras[index] ?? ''))
  const filled = (name: string) => `coalesce(excluded.${name} || t.${name}, t.${name}, excluded.${name})`
  const fill = [
    ...values.map((name) => `${name} = coalesce(t.${name}, excluded.${name})`),
    ...extras.map((name) => `${name} = ${filled(name)}`),
  ]
  const isMissing = [
    ...values.map((name) => `(t.${name} is null and excluded.${name} is not null)`),
    ...extras.map((name) => `${filled(name)} is distinct from t.${name}`),
  ]
  const conflict = fill.length === 0 ? 'nothing' : `update set ${fill.join(', ')} where ${isMissing.join(' or ')}`
  const list = used.names.join(', ')
  return {
    sql:
      `insert into ${table} as t (${list}) ` +
      `select ${list} from json_populate_recordset(null::${table}, ${literal(rowsAsJson(layout, rows))}) ` +
      `where ${condition} on conflict (${key.join(', ')}) do ${conflict}`,
  }
}

function rowsAsJson({ fields, extras }: RowLayout, rows: readonly ReadingRow[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const json: Record<string, unknown> = {
        device_dt: isoText(row.atMs),
        inserted: isoText(row.receivedAtMs),
        device_id: row.deviceId,
        number: row.number,
      }
      if (row.claimedAtMs !== undefined) json.claimed_at = isoText(row.claimedAtMs)
      if (isCorrected(row)) json.is_corrected = true
      fields.forEach(({ name, storage }, index) => {
        const value = row.numbers[index] ?? Number.NaN
        if (storage === 'text') json[name] = row.texts?.[index]
        // The value is rounded here, because PostgreSQL would round the decimal text and might end one step beside
        // COPY.
        else if (!Number.isNaN(value)) json[name] = storage === 'real' ? Math.fround(value) : value
      })
      for (const [index, name] of extras.entries()) json[name] = row.extras[index]
      return json
    }),
  )
}
