import { saveFile } from './download.ts'
import { messages } from './messages.ts'
import { formatDateTime } from './time.ts'

export type CsvCell = string | number | boolean | Date | null | undefined

export interface CsvColumn<Row> {
  readonly header: string
  readonly cell: (row: Row) => CsvCell
}

const SEPARATOR = ';'
const LINE_END = '\r\n'
const DATE_TIME_WITH_SECONDS = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/
/** What makes a spreadsheet take a text for a formula. */
const FORMULA_START = /^[=+\-@\t\r\n\0]/

/** Why there is nothing to export; the sentence is shown to the operator. */
export class NothingToExport extends Error {}

/** Semicolons and double quotes (P2 §9); a date-time with seconds is written in the viewer's zone. */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[] | undefined, rows: readonly Row[]): string {
  if (!columns || columns.length === 0) throw new NothingToExport(messages.csvNoColumns)
  if (rows.length === 0) throw new NothingToExport(messages.csvNoRows)
  const lines = [
    columns.map(({ header }) => writeCell(header)),
    ...rows.map((row) => columns.map(({ cell }) => writeCell(cell(row)))),
  ]
  return lines.map((cells) => cells.join(SEPARATOR) + LINE_END).join('')
}

export function writeCell(value: CsvCell): string {
  if (value === null || value === undefined) return quoted('')
  // Numbers stay numbers: -5 is a reading, not a formula.
  if (typeof value === 'number') return quoted(Number.isFinite(value) ? String(value) : '')
  if (value instanceof Date) return quoted(Number.isNaN(value.getTime()) ? '' : formatDateTime(value))
  if (typeof value === 'boolean') return quoted(String(value))
  if (isDateTime(value)) return quoted(formatDateTime(value))
  return quoted(FORMULA_START.test(value) ? `'${value}` : value)
}

function isDateTime(text: string): boolean {
  return DATE_TIME_WITH_SECONDS.test(text) && !Number.isNaN(new Date(text).getTime())
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** A file of the writer's text; spreadsheets read it as UTF-8 only with the mark in front. */
export function saveCsv(name: string, text: string) {
  saveFile(name, new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }))
}
