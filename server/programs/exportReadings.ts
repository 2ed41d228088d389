import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asPlainText } from '#domain/texts/asPlainText.ts'
import type { Queryable } from '../db/transaction.ts'
import { decodeDay } from '../telemetry/closed/decodeDay.ts'
import { type DayFile, type DayFilesQuestion, dayFiles } from '../telemetry/settled/dayFiles.ts'
import { valueAt } from '../telemetry/settled/settledValues.ts'

export interface ReadingsExport extends DayFilesQuestion {
  readonly folder: string
  readonly format: 'parquet' | 'csv'
}

/** Writes a file for each component and day, one after the other: `7/display-1/2026-05-07.parquet`. @returns how many */
export async function exportReadings(queryable: Queryable, { folder, format, ...of }: ReadingsExport): Promise<number> {
  let files = 0
  for await (const file of dayFiles(queryable, of)) {
    const place = join(folder, String(file.deviceId), `${file.layout.type.topic}-${file.number}`)
    await mkdir(place, { recursive: true })
    await writeFile(join(place, `${file.day}.${format}`), format === 'csv' ? csvOf(file) : file.body)
    files++
  }
  return files
}

function csvOf({ body, layout, number }: DayFile): string {
  const { rows, at, inserted, claimedAt, isCorrected, extra, fields } = decodeDay(body)
  const prefix = layout.type.prefixes[number - 1] ?? ''
  const columns = layout.fields.flatMap(({ name }) => {
    const cells = fields.get(name)
    return cells === undefined ? [] : [{ name: prefix + name, cells }]
  })
  const head = ['device_dt', 'inserted', 'claimed_at', 'is_corrected', ...columns.map(({ name }) => name), 'extra']
  const lines = [head.join(',')]
  for (let row = 0; row < rows; row++) {
    const values = [
      ...[moment(at[row]), moment(inserted[row]), moment(claimedAt?.[row]), isCorrected?.[row] ? 'true' : ''],
      ...columns.map(({ cells }) => valueAt(cells, row)),
      extra?.[row],
    ]
    lines.push(values.map(quotedForCsv).join(','))
  }
  return `${lines.join('\r\n')}\r\n`
}

const moment = (microseconds: number | null | undefined) =>
  typeof microseconds === 'number' ? new Date(Math.floor(microseconds / 1000)).toISOString() : ''

function quotedForCsv(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return ''
  // Numbers stay numbers: -5 is a reading, not a formula.
  const text = typeof value === 'string' ? asPlainText(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
