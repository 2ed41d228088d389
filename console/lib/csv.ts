import { asPlainText } from '#domain/texts/asPlainText.ts'
import { saveFile } from './call/download.ts'
import { messages } from './call/messages.ts'
import { formatDateTime } from './time/time.ts'
import { viewerTimeZone } from './time/viewerZone.ts'

export type CsvCell = string | number | boolean | Date | null | undefined

export interface CsvColumn<Row> {
  readonly header: string
  readonly cell: (row: Row) => CsvCell
}

const SEPARATOR = ';'
const LINE_END = '\r\n'
const DATE_TIME_WITH_SECONDS = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/
/** Numbers carry the decimal sign of the reader's language, because spreadsheets take `1.5` for a date where it is `1,5`. */
let decimal = { language: '', sign: '.' }
function decimalSign(): string {
  const { language } = navigator
  if (decimal.language !== language) {
    const parts = new Intl.NumberFormat(language, { numberingSystem: 'latn' }).formatToParts(1.5)
    decimal = { language, sign: parts.find(({ type }) => type === 'decimal')?.value ?? '.' }
  }
  return decimal.sign
}

/** It stands at each button that exports, because a file says neither. */
export const csvNote = () => `Times in ${viewerTimeZone()}, decimals as 1${decimalSign()}5`

/** The operator is shown the reason why there is nothing to export. */
export class NothingToExport extends Error {}

/** Spreadsheets read a file as UTF-8 only with this mark in front. */
const UTF8_MARK = '\ufeff'
const CSV_TYPE = 'text/csv;charset=utf-8'
/** Finished parts of a long file leave the memory of the page, because browsers keep large ones on disk. */
const PART_CHARACTERS = 4 * 1024 * 1024

/** CSV has semicolons and double quotes (rules/formats 1) and times in the viewer's zone (rules/formats 2). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[] | undefined, rows: readonly Row[]): string {
  const known = requireColumns(columns)
  if (rows.length === 0) throw new NothingToExport(messages.csvNoRows)
  return headLine(known) + rowLines(known, rows)
}

/** It accepts rows that are still arriving, and more of them than one text can hold. */
export async function collectCsv<Row>(
  columns: readonly CsvColumn<Row>[] | undefined,
  batches: AsyncIterable<readonly Row[]>,
  onProgress: (rowCount: number) => void,
): Promise<Blob> {
  const known = requireColumns(columns)
  const parts: Blob[] = []
  let text = UTF8_MARK + headLine(known)
  let rowCount = 0
  for await (const rows of batches) {
    text += rowLines(known, rows)
    rowCount += rows.length
    onProgress(rowCount)
    if (text.length < PART_CHARACTERS) continue
    parts.push(new Blob([text]))
    text = ''
  }
  if (rowCount === 0) throw new NothingToExport(messages.csvNoRows)
  return new Blob([...parts, text], { type: CSV_TYPE })
}

export async function* oneBatch<Row>(rows: readonly Row[]) {
  yield rows
}

function requireColumns<Row>(columns: readonly CsvColumn<Row>[] | undefined): readonly CsvColumn<Row>[] {
  if (!columns || columns.length === 0) throw new NothingToExport(messages.csvNoColumns)
  return columns
}

function headLine<Row>(columns: readonly CsvColumn<Row>[]): string {
  return columns.map(({ header }) => writeCell(header)).join(SEPARATOR) + LINE_END
}

function rowLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map(({ cell }) => writeCell(cell(row))).join(SEPARATOR) + LINE_END).join('')
}

export function writeCell(value: CsvCell): string {
  if (value === null || value === undefined) return quoted('')
  // Numbers stay numbers: -5 is a reading, not a formula.
  if (typeof value === 'number') return quoted(Number.isFinite(value) ? String(value).replace('.', decimalSign()) : '')
  if (value instanceof Date) return quoted(Number.isNaN(value.getTime()) ? '' : formatDateTime(value))
  if (typeof value === 'boolean') return quoted(String(value))
  if (isDateTime(value)) return quoted(formatDateTime(value))
  return quoted(asPlainText(value))
}

function isDateTime(text: string): boolean {
  return DATE_TIME_WITH_SECONDS.test(text) && !Number.isNaN(new Date(text).getTime())
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function saveCsv(name: string, text: string) {
  saveFile(name, new Blob([UTF8_MARK, text], { type: CSV_TYPE }))
}
