import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { LightRule, LightRuleSet } from './ruleSet.ts'

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const ALL_DAYS = 7

/** Names days in order: "Mon–Fri", "every day", "Sat, Sun". */
function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b)
  if (sorted.length === ALL_DAYS) return 'every day'
  const [first, last] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${DAY_NAMES[first]}–${DAY_NAMES[last]}`
  return sorted.map((day) => DAY_NAMES[day]).join(', ')
}

/** Says what a rule asks for: "Dark 01:00–06:00, every day". */
export function ruleText({ days, from, to, onHolidays, levelPercent, belowLux }: LightRule): string {
  const what = levelPercent === 0 ? 'Dark' : `At most ${levelPercent} %`
  const time = from === to ? `for 24 hours from ${from}` : `${from}–${to}`
  const light = belowLux === null ? '' : ` while ambient light is below ${belowLux} lux`
  if (onHolidays === 'only') return `${what} ${time}, on holidays${light}`
  return `${what} ${time}, ${daysText(days)}${onHolidays === 'never' ? ', not on holidays' : ''}${light}`
}

/** Says where a set holds. */
export function placeText({ country, area }: LightRuleSet): string {
  if (country === null && area === null) return 'Everywhere'
  return [country, area && `area of ${area.length} corners`].filter(Boolean).join(', ')
}

/** Says between which days a set holds: "since 2013-07-01", "2022-09-01 to 2023-04-15". */
export function validText({ validFrom, validUntil }: LightRuleSet): string {
  if (validFrom === null && validUntil === null) return 'always'
  if (validUntil === null) return `since ${validFrom}`
  return validFrom === null ? `until ${validUntil}` : `${validFrom} to ${validUntil}`
}

/** Names the off times of a device: "23:00–05:00", or by kinds of days where they differ. */
export function offTimesText(times: OffTimes): string {
  const groups = [
    ['workdays', times.wdTimeOffFrom, times.wdTimeOffTo],
    ['weekends', times.wkndTimeOffFrom, times.wkndTimeOffTo],
    ['holidays', times.holTimeOffFrom, times.holTimeOffTo],
  ] as const
  const texts = groups.map(([name, from, to]) => ({ name, text: from === null ? 'never' : `${from}–${to}` }))
  if (new Set(texts.map(({ text }) => text)).size === 1) return texts[0]?.text === 'never' ? '' : (texts[0]?.text ?? '')
  return texts.map(({ name, text }) => `${name} ${text}`).join(', ')
}
