import { HOUR_MS } from '#domain/units/time.ts'

export const MOST_PLAYS = 100_000
const LONGEST_PLAY_MS = 24 * HOUR_MS
const LONGEST_PLAY_NAME = 100

/** Something that was shown on a display, or on all displays of a device. */
export interface Play {
  /** An id or a GUID, as it was given. */
  readonly device: string
  readonly display: number | undefined
  readonly fromMs: number
  readonly toMs: number
  /** What the sender calls it; empty when it has no name. */
  readonly name: string
}

export interface PlayProblem {
  /** Lines are counted from 1, that of the columns included. */
  readonly line: number
  readonly problem: string
}

export interface ReadPlays {
  readonly plays: readonly Play[]
  readonly problems: readonly PlayProblem[]
}

const COLUMNS = ['device', 'display', 'from', 'to', 'seconds', 'play'] as const
type ColumnName = (typeof COLUMNS)[number]
type Columns = Partial<Record<ColumnName, number>>

const DEVICE = /^(\d{1,9}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)$/
const UNIX_MS = /^\d{12,13}$/
const SEPARATORS = [';', '\t', ','] as const

/**
 * Reads a list of plays. The first line names the columns, in any order: `device`, `from`, and `to` or `seconds`;
 * `display` and `play` may be absent. Every line that is not read is named.
 */
export function readPlays(text: string): ReadPlays {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  const head = lines[0] ?? ''
  const separator = SEPARATORS.find((one) => head.includes(one)) ?? ','
  const columns = columnsOf(cellsOf(head, separator) ?? [])
  const missing = missingColumn(columns)
  if (missing) return { plays: [], problems: [{ line: 1, problem: missing }] }
  const plays: Play[] = []
  const problems: PlayProblem[] = []
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] as string
    if (line.trim() === '') continue
    const cells = cellsOf(line, separator)
    const play = cells ? playOf(columns, cells) : 'A quoted cell does not end on its line.'
    if (typeof play === 'string') problems.push({ line: index + 1, problem: play })
    else if (plays.length < MOST_PLAYS) plays.push(play)
    else return { plays, problems: [...problems, { line: index + 1, problem: TOO_MANY }] }
  }
  if (plays.length === 0 && problems.length === 0) problems.push({ line: 1, problem: 'There is no play below it.' })
  return { plays, problems }
}

const TOO_MANY = `A list has at most ${MOST_PLAYS.toLocaleString('en')} plays.`

function columnsOf(names: readonly string[]): Columns {
  const plain = names.map((name) => name.trim().toLowerCase())
  return Object.fromEntries(COLUMNS.filter((name) => plain.includes(name)).map((name) => [name, plain.indexOf(name)]))
}

function missingColumn({ device, from, to, seconds }: Columns): string | undefined {
  const missing = [
    ...(device === undefined ? ['device'] : []),
    ...(from === undefined ? ['from'] : []),
    ...(to === undefined && seconds === undefined ? ['to or seconds'] : []),
  ]
  return missing.length === 0 ? undefined : `The first line names the columns; it lacks ${missing.join(' and ')}.`
}

/** Returns undefined when a quoted cell does not end. */
function cellsOf(line: string, separator: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(separator)
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at)
      cells.push(line.slice(at, end < 0 ? undefined : end))
      at = end < 0 ? line.length + 1 : end + 1
      continue
    }
    let cell = ''
    let end = line.indexOf('"', at + 1)
    while (end >= 0 && line[end + 1] === '"') {
      cell += line.slice(at + 1, end + 1)
      at = end + 1
      end = line.indexOf('"', at + 1)
    }
    if (end < 0) return undefined
    cells.push(cell + line.slice(at + 1, end))
    const next = line.indexOf(separator, end)
    at = next < 0 ? line.length + 1 : next + 1
  }
  return cells
}

/** Returns what is wrong if it is no play. */
function playOf(columns: Columns, cells: readonly string[]): Play | string {
  const cell = (name: ColumnName) => cells[columns[name] ?? -1]?.trim() ?? ''
  const [device, number, name] = [cell('device').toLowerCase(), cell('display'), cell('play')]
  if (!DEVICE.test(device)) return 'device is no id and no GUID.'
  if (number !== '' && !/^[1-9]\d?$/.test(number)) return 'display is no number of a display, such as 1.'
  const fromMs = momentMs(cell('from'))
  if (fromMs === undefined) return `from is no moment with a time zone, such as ${EXAMPLE}.`
  const toMs = endOf(fromMs, cell('to'), cell('seconds'))
  if (typeof toMs === 'string') return toMs
  const problem = periodProblem(fromMs, toMs) ?? nameProblem(name)
  return problem ?? { device, display: number === '' ? undefined : Number(number), fromMs, toMs, name }
}

const EXAMPLE = '2026-11-01T17:00:00Z'

function endOf(fromMs: number, to: string, seconds: string): number | string {
  if (to !== '') return momentMs(to) ?? `to is no moment with a time zone, such as ${EXAMPLE}.`
  return /^\d{1,6}$/.test(seconds) ? fromMs + Number(seconds) * 1000 : 'seconds is no whole number.'
}

function momentMs(text: string): number | undefined {
  if (UNIX_MS.test(text)) return Number(text)
  const [, date = '', time = '', zone = ''] = MOMENT.exec(text) ?? []
  const ms = Date.parse(`${date}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`)
  // A date such as 30 February would be read as one of March.
  const isReal = date.slice(8) <= '28' || new Date(Date.parse(date)).toISOString().startsWith(date)
  return Number.isNaN(ms) || !isReal ? undefined : ms
}

/** What is wrong with the time of a play, which counts in whole seconds. */
export function periodProblem(fromMs: number, toMs: number): string | undefined {
  if (Math.floor(toMs / 1000) <= Math.floor(fromMs / 1000)) return 'It lasts less than a second.'
  return toMs - fromMs > LONGEST_PLAY_MS ? 'It lasts longer than 24 hours.' : undefined
}

const nameProblem = (name: string): string | undefined =>
  name.length <= LONGEST_PLAY_NAME && name.isWellFormed()
    ? undefined
    : `play has more than ${LONGEST_PLAY_NAME} characters, or is no text.`
