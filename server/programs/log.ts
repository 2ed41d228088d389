import { type LevelWithSilent, type Logger, pino } from 'pino'

export interface ServerLog {
  readonly log: Logger
  /** Logs what was counted and not logged yet. */
  readonly end: () => void
}

/** Repeats within this time are counted, and logged once at its end. */
const COLLAPSED_WITHIN_MS = 10_000
/** Our sentences are few; if details make many of them, the rest are counted as one. */
const MOST_SUBJECTS = 50
const INFO_LEVEL = 30
const LONGEST_TEXT = 300
const LONGEST_STACK = 2000
const MOST_ENTRIES = 20
const DEEPEST = 4

/** Creates the server's log of JSON lines: outside texts are shortened, and repeats become one line with a count. */
export function createLog(options: {
  readonly level: LevelWithSilent
  /** Receives the lines; standard output by default. */
  readonly write?: (line: string) => void
  readonly collapsedWithinMs?: number
}): ServerLog {
  const repeats = new Repeats(options.collapsedWithinMs ?? COLLAPSED_WITHIN_MS)
  const settings = {
    level: options.level,
    hooks: {
      logMethod(given: readonly unknown[], method: (detail: object, sentence: string) => void, level: number): void {
        const { detail, sentence } = read(given)
        const say = (counted: object) => method.call(log, { ...detail, ...counted }, sentence)
        // A level below info means that everything is wanted.
        if (level < INFO_LEVEL) say({})
        else repeats.say(`${level} ${sentence} ${causeOf(given[0])}`, say)
      },
    },
  } as const
  const log: Logger = options.write ? pino(settings, { write: options.write }) : pino(settings)
  return { log, end: () => repeats.end() }
}

type Say = (counted: { readonly repeats?: number }) => void

interface Subject {
  repeats: number
  newest: Say
  readonly timer: NodeJS.Timeout
}

/** Logs the first of a kind at once, and then at intervals the newest with the count of all. */
class Repeats {
  readonly #subjects = new Map<string, Subject>()
  readonly #withinMs: number

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  say(key: string, say: Say): void {
    const name = this.#subjects.has(key) || this.#subjects.size < MOST_SUBJECTS ? key : 'all else'
    const known = this.#subjects.get(name)
    if (known) {
      known.repeats++
      known.newest = say
      return
    }
    const timer = setInterval(() => this.#sum(name), this.#withinMs).unref()
    this.#subjects.set(name, { repeats: 0, newest: say, timer })
    say({})
  }

  end(): void {
    for (const name of [...this.#subjects.keys()]) {
      this.#sum(name)
      this.#forget(name)
    }
  }

  #sum(name: string): void {
    const subject = this.#subjects.get(name)
    if (!subject) return
    const { repeats, newest } = subject
    subject.repeats = 0
    if (repeats > 0) newest({ repeats })
    else this.#forget(name)
  }

  #forget(name: string): void {
    clearInterval(this.#subjects.get(name)?.timer)
    this.#subjects.delete(name)
  }
}

function read(given: readonly unknown[]): { readonly detail: object; readonly sentence: string } {
  const [first, second] = given
  if (typeof first === 'string') return { detail: {}, sentence: cut(first, LONGEST_TEXT) }
  return { detail: shortened(first, DEEPEST) as object, sentence: cut(String(second ?? ''), LONGEST_TEXT) }
}

/** Shortens a value to fit a line, and drops the details of an error: a database quotes values there. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value, LONGEST_TEXT)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value
  if (value instanceof Error) {
    const { code } = value as { readonly code?: unknown }
    const message = cut(value.message, LONGEST_TEXT)
    return { name: value.name, code, message, stack: cut(framesOf(value.stack), LONGEST_STACK) }
  }
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    const kept = value.slice(0, MOST_ENTRIES).map((each) => shortened(each, depth - 1))
    return value.length > MOST_ENTRIES ? [...kept, `… ${value.length} in all`] : kept
  }
  const entries = Object.entries(value).slice(0, MOST_ENTRIES)
  return Object.fromEntries(entries.map(([name, each]) => [name, shortened(each, depth - 1)]))
}

/** The stack begins with the message, which may be long. */
const framesOf = (stack = '') => stack.slice(Math.max(0, stack.indexOf('\n    at ') + 1))

const FRAME_OF_OURS = /\/server\/[^\n]*/

/** Distinguishes troubles with the same sentence by their code, or by the place in our own code. */
function causeOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return ''
  return Object.values(detail)
    .map((each) => {
      const { code, name, stack } = (each ?? {}) as { code?: unknown; name?: unknown; stack?: unknown }
      if (typeof code === 'string') return code
      return typeof stack === 'string' ? `${String(name)} ${FRAME_OF_OURS.exec(stack)?.[0] ?? ''}` : ''
    })
    .join(' ')
}

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
