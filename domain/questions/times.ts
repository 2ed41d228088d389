import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, wallClock, weekdayOf } from '../units/wallClock.ts'
import { phraseAt, type Token } from './tokens.ts'

const UNITS: readonly (readonly [words: readonly string[], ms: number])[] = [
  [['min', 'mins', 'minute', 'minutes', 'm'], MINUTE_MS],
  [['h', 'hour', 'hours', 'hr', 'hrs'], HOUR_MS],
  [['d', 'day', 'days'], DAY_MS],
  [['week', 'weeks', 'w'], 7 * DAY_MS],
]
/** The limit of a filter, beyond which no beginning is known. */
const LONGEST_MS = 3_650 * DAY_MS
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export interface TakenTime<Value> {
  readonly count: number
  readonly value: Value
}

/** Reads `30 min`, `30min`, `1.5 h`, `an hour` as milliseconds. */
export function durationAt(tokens: readonly Token[], at: number): TakenTime<number> | undefined {
  const [, number = '', attached] = /^(\d{1,6}(?:[.,]\d{1,3})?|an?)([a-z]+)?$/.exec(tokens[at]?.word ?? '') ?? []
  if (number === '') return undefined
  const unit = attached ?? tokens[at + 1]?.word
  const unitMs = UNITS.find(([words]) => words.some((word) => word === unit))?.[1]
  const ms = (number.startsWith('a') ? 1 : Number(number.replace(',', '.'))) * (unitMs ?? Number.NaN)
  return ms > 0 && ms <= LONGEST_MS ? { count: attached === undefined ? 2 : 1, value: ms } : undefined
}

export interface Clock {
  readonly now: Date
  /** Days begin in this IANA zone. */
  readonly timeZone: string
}

/** Reads `yesterday`, `monday 18:00`, `06:30`, `2 h ago`, `2026-11-20`, `20.11.` as the latest such moment. */
export function pastMomentAt(tokens: readonly Token[], at: number, clock: Clock): TakenTime<Date> | undefined {
  const ago = durationAt(tokens, at)
  if (ago && tokens[at + ago.count]?.word === 'ago') {
    return { count: ago.count + 1, value: new Date(clock.now.getTime() - ago.value) }
  }
  const { timeZone } = clock
  const today = wallClock(clock.now, timeZone).date
  const time = timeOf(tokens[at])
  if (time !== undefined) {
    const moment = momentOf(today, time, timeZone)
    return { count: 1, value: moment <= clock.now ? moment : momentOf(addDays(today, -1), time, timeZone) }
  }
  const date = dateOf(tokens, at, today)
  if (date === undefined) return undefined
  const timeOfDay = timeOf(tokens[at + 1])
  const value = momentOf(date, timeOfDay ?? '00:00', timeZone)
  return value <= clock.now ? { count: timeOfDay === undefined ? 1 : 2, value } : undefined
}

function timeOf(token: Token | undefined): LocalTime | undefined {
  const [, hours = '', minutes = ''] = /^(\d|[01]\d|2[0-3]):([0-5]\d)$/.exec(token?.word ?? '') ?? []
  return hours === '' ? undefined : `${hours.padStart(2, '0')}:${minutes}`
}

function dateOf(tokens: readonly Token[], at: number, today: LocalDate): LocalDate | undefined {
  const word = tokens[at]?.word ?? ''
  if (phraseAt(tokens, at, ['today']) !== undefined) return today
  if (word === 'yesterday') return addDays(today, -1)
  const weekday = WEEKDAYS.findIndex((name) => word.length >= 3 && name.startsWith(word))
  if (weekday >= 0) return addDays(today, -((weekdayOf(today) - weekday + 7) % 7))
  const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})?$/.exec(word) ?? []
  if (day === '') return isDate(word) ? word : undefined
  const inYear = (given: string) => `${given}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (year !== undefined) return existing(inYear(year.padStart(4, '20')))
  const thisYear = inYear(today.slice(0, 4))
  return existing(thisYear <= today ? thisYear : inYear(String(Number(today.slice(0, 4)) - 1)))
}

const existing = (date: string) => (isDate(date) ? date : undefined)

function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}
