import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from './time.ts'
import { addDays, type LocalDate, momentOf, wallClock, weekdayOf } from './wallClock.ts'

export interface TypedMomentDeps {
  readonly now: Date
  /** The IANA zone of the person who types. */
  readonly timeZone: string
  /** If true, an open day or year means the latest past one; otherwise today, or the nearest year. */
  readonly isPast?: boolean
}

/** The understood moment, or words about why there is none. */
export type TypedMoment = { readonly at: Date } | { readonly wrong: string }

export const LONGEST_TYPED_MOMENT = 60
const FIRST_YEAR = 2000
const LAST_YEAR = 2099

export const NOT_UNDERSTOOD = 'Not understood. Try 17.11. 14:00, yesterday 9:00, last Tuesday 14:00 or 3 h ago.'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const FULL_MONTHS =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?)? ?(z|utc|[+-]\d\d:?\d\d)?$/
const RELATIVE = /^(?:(in) )?(-?)(an?|\d{1,6}(?:[.,]\d)?) ?([a-z]+)( ago)?$/
const TIME = /^(\d{1,2})(?::(\d\d)(?::(\d\d))?)? ?(am|pm)?$/
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})(?:\.(?:(\d{4}|\d\d))?)?$/
const NAMED_DAY = /^(\d{1,2})\.? ([a-z]+)\.?(?: (\d{4}|\d\d))?$/

/** A calendar day with or without a time. */
interface Day {
  readonly date: LocalDate
  /** The same day one step earlier, if the text leaves open which one is meant. */
  readonly earlier?: LocalDate | undefined
}

/**
 * Reads a moment as people write it: `17.11. 14:00`, `17.11.26`, `14:00`, `yesterday 9:00`, `last tuesday 14:00`, `3 h
 * ago`, ISO 8601. A day alone is its beginning. Times are in the zone; one that clocks skip is the moment of the
 * change, and of one that they repeat the first counts (`wallClock.ts`). Hours and less are counted, days and weeks
 * keep the local time.
 */
export function readTypedMoment(text: string, deps: TypedMomentDeps): TypedMoment {
  if (text.length > LONGEST_TYPED_MOMENT || text.trim() === '') return { wrong: NOT_UNDERSTOOD }
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const read = isoMoment(typed, deps) ?? relativeMoment(typed, deps) ?? dayAndTime(typed, deps)
  if (!('at' in read)) return read
  const year = read.at.getTime()
  if (Number.isNaN(year) || year < Date.UTC(FIRST_YEAR) || year >= Date.UTC(LAST_YEAR + 1))
    return { wrong: `Only moments from ${FIRST_YEAR} to ${LAST_YEAR}.` }
  return read
}

function isoMoment(typed: string, { timeZone }: TypedMomentDeps): TypedMoment | undefined {
  const found = ISO.exec(typed)
  if (!found) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset] = found
  const date = calendarDate(Number(year), Number(month), Number(day))
  if (date === undefined) return noDay(`${year}-${month}-${day}`)
  const time = `${hour}:${minute}`
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return noTime(time)
  const beyondMs = Number(second) * SECOND_MS + Number(fraction.padEnd(3, '0'))
  if (offset === undefined) return later(wallMoment(date, time, timeZone), beyondMs)
  const written = offset === 'z' || offset === 'utc' ? 'Z' : offset.replace(/(\d\d):?(\d\d)$/, '$1:$2')
  return later(new Date(`${date}T${time}${written}`), beyondMs)
}

const UNITS: readonly { readonly words: RegExp; readonly ms: number; readonly days?: number }[] = [
  { words: /^(s|secs?|seconds?)$/, ms: SECOND_MS },
  { words: /^(m|mins?|minutes?)$/, ms: MINUTE_MS },
  { words: /^(h|hrs?|hours?)$/, ms: HOUR_MS },
  { words: /^(d|days?)$/, ms: DAY_MS, days: 1 },
  { words: /^(w|weeks?)$/, ms: WEEK_MS, days: 7 },
]

function relativeMoment(typed: string, { now, timeZone }: TypedMomentDeps): TypedMoment | undefined {
  if (typed === 'now') return { at: now }
  const [, ahead, minus, count, word, ago] = RELATIVE.exec(typed) ?? []
  const unit = UNITS.find(({ words }) => word !== undefined && words.test(word))
  if (!unit || count === undefined) return undefined
  // Exactly one of the three must give the direction.
  if ([ahead, minus, ago].filter(Boolean).length !== 1) return { wrong: NOT_UNDERSTOOD }
  const size = /^an?$/.test(count) ? 1 : Number(count.replace(',', '.'))
  const signed = ahead ? size : -size
  if (unit.days === undefined || !Number.isInteger(size)) return { at: new Date(now.getTime() + signed * unit.ms) }
  const wall = wallClock(now, timeZone)
  return later(wallMoment(addDays(wall.date, signed * unit.days), wall.time, timeZone), now.getTime() % MINUTE_MS)
}

function dayAndTime(typed: string, deps: TypedMomentDeps): TypedMoment {
  const { now, timeZone, isPast = false } = deps
  for (const [dayText, timeText] of partsOf(typed)) {
    const day = dayText === '' ? openDay(deps) : readDay(dayText, deps)
    if (day === undefined) continue
    if ('wrong' in day) return day
    const time = timeText === '' ? '00:00:00' : readTime(timeText)
    if (time === undefined) return noTime(timeText)
    const on = (date: LocalDate) =>
      new Date(wallMoment(date, time.slice(0, 5), timeZone).getTime() + Number(time.slice(6)) * SECOND_MS)
    const at = on(day.date)
    return { at: isPast && at > now && day.earlier !== undefined ? on(day.earlier) : at }
  }
  return { wrong: NOT_UNDERSTOOD }
}

/** Returns the ways to split a text into a day and a time, either of which may be missing. */
function partsOf(typed: string): readonly (readonly [day: string, time: string])[] {
  const words = typed.replaceAll(/ ?, ?| at /g, ' ').split(' ')
  const cuts: (readonly [string, string])[] = []
  for (const length of [1, 2]) {
    const [head, tail] = [words.slice(0, length).join(' '), words.slice(-length).join(' ')]
    if (looksLikeTime(tail)) cuts.push([words.slice(0, -length).join(' '), tail])
    if (looksLikeTime(head)) cuts.push([words.slice(length).join(' '), head])
  }
  return [...cuts, [words.join(' '), '']]
}

/** A number alone may be anything. */
const looksLikeTime = (text: string) => TIME.test(text) && /[:m]/.test(text)

/** Returns `HH:mm:ss` for `14:00`, `9:05:30`, `2 pm`. */
function readTime(text: string): string | undefined {
  const [, hours, minutes = '0', seconds = '0', half] = TIME.exec(text) ?? []
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const ofDay = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  if (ofDay > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return [ofDay, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
}

function openDay({ now, timeZone }: TypedMomentDeps): Day {
  const { date } = wallClock(now, timeZone)
  return { date, earlier: addDays(date, -1) }
}

function readDay(text: string, deps: TypedMomentDeps): Day | { readonly wrong: string } | undefined {
  const today = wallClock(deps.now, deps.timeZone).date
  if (text === 'today') return { date: today }
  if (text === 'yesterday') return { date: addDays(today, -1) }
  if (text === 'tomorrow') return { date: addDays(today, 1) }
  const dotted = DOTTED_DAY.exec(text)
  if (dotted) return dayOfYear(text, Number(dotted[1]), Number(dotted[2]), dotted[3], deps)
  const named = NAMED_DAY.exec(text)
  const month = named && FULL_MONTHS.test(named[2] ?? '') ? MONTHS.indexOf((named[2] ?? '').slice(0, 3)) + 1 : 0
  if (named && month > 0) return dayOfYear(text, Number(named[1]), month, named[3], deps)
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (iso) {
    const date = calendarDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    return date === undefined ? noDay(text) : { date }
  }
  return weekday(text, today)
}

/** `tuesday` is the latest, today included; `last tuesday` is before today, `next tuesday` after it. */
function weekday(text: string, today: LocalDate): Day | undefined {
  const [, which, name = ''] = /^(?:(last|next|on) )?([a-z]{3,9})\.?$/.exec(text) ?? []
  const wanted = WEEKDAYS.findIndex((day) => day === name || (name.length <= 5 && day.startsWith(name)))
  if (name === '' || wanted === -1) return undefined
  const back = (weekdayOf(today) - wanted + 7) % 7
  if (which === 'next') return { date: addDays(today, 7 - back) }
  if (which === 'last') return { date: addDays(today, back === 0 ? -7 : -back) }
  return { date: addDays(today, -back), earlier: addDays(today, -back - 7) }
}

function dayOfYear(
  text: string,
  day: number,
  month: number,
  year: string | undefined,
  { now, timeZone, isPast }: TypedMomentDeps,
): Day | { readonly wrong: string } {
  if (year !== undefined) {
    const date = calendarDate(year.length === 2 ? FIRST_YEAR + Number(year) : Number(year), month, day)
    return date === undefined ? noDay(text) : { date }
  }
  const thisYear = Number(wallClock(now, timeZone).date.slice(0, 4))
  // 29 February exists only in leap years.
  const dates = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(
    (years) => calendarDate(thisYear + years, month, day) ?? [],
  )
  const distance = (date: LocalDate) => Math.abs(Date.parse(date) - now.getTime())
  if (!isPast) {
    const nearest = dates.toSorted((a, b) => distance(a) - distance(b))[0]
    return nearest === undefined ? noDay(text) : { date: nearest }
  }
  const today = wallClock(now, timeZone).date
  const been = dates.filter((date) => date <= today)
  const latest = been.at(-1)
  return latest === undefined ? noDay(text) : { date: latest, earlier: been.at(-2) }
}

/** Returns undefined for a day that no calendar has. */
function calendarDate(year: number, month: number, day: number): LocalDate | undefined {
  const date = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
  const at = new Date(`${date}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date ? date : undefined
}

const wallMoment = (date: LocalDate, time: string, timeZone: string) => momentOf(date, time, timeZone)
const later = (at: Date, ms: number): TypedMoment => ({ at: new Date(at.getTime() + ms) })
const noDay = (text: string) => ({ wrong: `No calendar has the day ${text}.` })
const noTime = (text: string) => ({ wrong: `No clock shows ${text}.` })
