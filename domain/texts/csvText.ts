/** Spreadsheets take a text that begins like this for a formula; what was guarded before is guarded once more. */
const GUARDED = /^'*[=+\-@\t\r\n\0＝＋－＠]/
const SEPARATORS = [';', ',', '\t'] as const
const LINE_END = '\r\n'
/** Spreadsheets read a file as UTF-8 only with this mark in front. */
const UTF8_MARK = '\ufeff'

export interface CsvRow {
  /** The line of the file in which the row begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Writes a file that any spreadsheet opens without running anything, and that `readCsv` reads back exactly. */
export function writeCsvText(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `"${(GUARDED.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  return UTF8_MARK + rows.map((cells) => cells.map(cell).join(SEPARATORS[0]) + LINE_END).join('')
}

/**
 * Reads RFC 4180 with semicolons, commas or tabs, whichever the first line has most of. Guards before formulas are
 * taken away, and empty lines are left out.
 * @returns the line in which a quote is never closed as `unclosedLine`
 */
export function readCsv(text: string): { readonly rows: readonly CsvRow[]; readonly unclosedLine?: number } {
  const plain = text.startsWith(UTF8_MARK) ? text.slice(1) : text
  const separator = separatorOf(plain)
  const rows: CsvRow[] = []
  let [at, line] = [0, 1]
  while (at < plain.length) {
    const row: CsvRow & { cells: string[] } = { line, cells: [] }
    for (let isRow = true; isRow; ) {
      const bare = plain[at] === '"' ? endOfQuoted(plain, at) : at
      if (bare === undefined) return { rows, unclosedLine: line }
      const end = endOfPlain(plain, bare, separator)
      const raw = plain.slice(at, end)
      line += raw.split('\n').length - 1
      row.cells.push(withoutGuard(unquoted(raw)))
      isRow = plain[end] === separator
      at = end + (isRow ? 1 : 0)
    }
    if (plain.startsWith(LINE_END, at)) at += 2
    else at += 1
    line += 1
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
  }
  return { rows }
}

const withoutGuard = (cell: string) => (cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell)

/** What follows a closing quote until the separator stays as it is written. */
function unquoted(raw: string): string {
  const [, inside, after = ''] = /^"((?:[^"]|"")*)"(.*)$/s.exec(raw) ?? []
  return inside === undefined ? raw : inside.replaceAll('""', '"') + after
}

function endOfPlain(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}

function endOfQuoted(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') at += 1
    else return at + 1
  }
  return undefined
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const unquotedLine = first.replaceAll(/"[^"]*"/g, '')
  const count = (sign: string) => unquotedLine.split(sign).length
  return SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
