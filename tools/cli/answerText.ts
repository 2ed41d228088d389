const MOST_COLUMNS = 8
const WIDEST_CELL = 36

/** Somebody typed these names, so they must neither steer the terminal nor change the order of the text. */
const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

const isPlain = (value: unknown) => value === null || typeof value !== 'object'

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const text = plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
  return text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text
}

type Row = Readonly<Record<string, unknown>>

/** Formats an answer for people: lists as a table, one thing as a line for each field. */
export function answerText(answer: unknown): string {
  if (Array.isArray(answer)) return tableText(answer)
  if (answer === null || typeof answer !== 'object') return cell(answer)
  const { rows, ...rest } = answer as { readonly rows?: unknown }
  if (Array.isArray(rows)) return [tableText(rows), factsText(rest)].filter(Boolean).join('\n\n')
  return factsText(answer as Row)
}

function factsText(facts: Row): string {
  const widest = Math.max(0, ...Object.keys(facts).map(({ length }) => length))
  return Object.entries(facts)
    .map(([name, value]) => {
      const text = isPlain(value) ? plain(String(value ?? '–')) : plain(JSON.stringify(value))
      return `${name.padEnd(widest)}  ${text}`
    })
    .join('\n')
}

function tableText(rows: readonly unknown[]): string {
  if (rows.length === 0) return 'Nothing.'
  if (rows.some(isPlain)) return rows.map(cell).join('\n')
  const all = rows as readonly Row[]
  const names = [...new Set(all.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))]
  const columns = names.filter((name) => all.some((row) => cell(row[name]) !== '–')).slice(0, MOST_COLUMNS)
  const widths = columns.map((name) => Math.max(name.length, ...all.map((row) => cell(row[name]).length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(columns), ...all.map((row) => line(columns.map((name) => cell(row[name]))))].join('\n')
}
