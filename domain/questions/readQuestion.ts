import { DEVICE_MODELS } from '../devices/models.ts'
import { distinctTags, MOST_TAGS } from '../devices/tags.ts'
import type { CustomerId } from '../ids.ts'
import { formatHours } from '../units/durations.ts'
import { MINUTE_MS } from '../units/time.ts'
import { wallClock } from '../units/wallClock.ts'
import { clientVersion, isTagSign, OLDER_LEADS, signedTag, TAG_LEADS, tagged, VERSION_LEADS } from './labels.ts'
import { oneNamed } from './names.ts'
import type { AlertFilter, DeviceFilter, Known, Question, QuestionPart } from './question.ts'
import { durationAt, pastMomentAt } from './times.ts'
import { phraseAt, type Token, tokensOf } from './tokens.ts'
import { ALERT_NOUNS, ALERT_WORDS, ARTICLES, DEVICE_WORDS, FILLERS, HAVING, type Word } from './vocabulary.ts'

/** What a rule reads from a position on: the number of tokens, and their meaning or the reason why they have none. */
type Taken<Filter> =
  | { readonly count: number; readonly sets: Filter; readonly says: string }
  | { readonly count: number; readonly why: string }
type Rule<Filter> = (tokens: readonly Token[], at: number, known: Known) => Taken<Filter> | undefined

const LONGER = [
  '>',
  '>=',
  '≥',
  'over',
  'more than',
  'longer than',
  'at least',
  'for',
  'for more than',
  'for over',
  'for at least',
]
const SHORTER = ['<', '<=', '≤', 'under', 'less than', 'within', 'in the last', 'for less than']

/**
 * Reads a question about devices or alerts in the few words of the lists' filters: `dark > 30 min in Lyon since
 * yesterday`. Every word is accounted for, and what is not understood is no part of the filter.
 */
export function readQuestion(text: string, known: Known): Question {
  const tokens = tokensOf(text)
  const noun = tokens.findIndex((_, at) => isNounOfAlerts(tokens, at))
  if (noun < 0) return { list: 'devices', ...partsOf(tokens, DEVICE_RULES, known) }
  return { list: 'alerts', ...partsOf(tokens, ALERT_RULES, known) }
}

const isNounOfAlerts = (tokens: readonly Token[], at: number) =>
  ALERT_NOUNS.includes(tokens[at]?.word ?? '') &&
  !tokens.slice(Math.max(0, at - 2), at).some(({ word }) => word !== 'active' && HAVING.includes(word))

function partsOf<Filter extends object>(tokens: readonly Token[], rules: readonly Rule<Filter>[], known: Known) {
  const parts: QuestionPart[] = []
  let filter = {} as Filter
  for (let at = 0; at < tokens.length; ) {
    const taken = firstTaken(rules, tokens, at, known)
    const count = taken?.count ?? 1
    const typed = tokens
      .slice(at, at + count)
      .map((token) => token.typed)
      .join(' ')
    if (taken === undefined) parts.push({ kind: isFiller(tokens[at]) ? 'filler' : 'unread', typed })
    else if ('why' in taken) parts.push({ kind: 'unread', typed, why: taken.why })
    else if (contradicts(filter, taken.sets)) parts.push({ kind: 'unread', typed, why: 'a list takes one of these' })
    else {
      filter = { ...filter, ...taken.sets, ...tagsOfBoth(filter, taken.sets) }
      parts.push({ kind: 'read', typed, says: taken.says })
    }
    at += count
  }
  return { filter, parts }
}

function firstTaken<Filter>(rules: readonly Rule<Filter>[], tokens: readonly Token[], at: number, known: Known) {
  for (const rule of rules) {
    const taken = rule(tokens, at, known)
    if (taken) return taken
  }
  return undefined
}

const isFiller = (token: Token | undefined) => FILLERS.has(token?.word ?? '') || ARTICLES.has(token?.word ?? '')

const contradicts = (filter: object, sets: object) =>
  Object.entries(sets).some(([name, value]) => {
    if (name === 'tags') return (tagsOfBoth(filter, sets).tags?.length ?? 0) > MOST_TAGS
    return name in filter && (filter as Record<string, unknown>)[name] !== value
  })

/** A list filters by one value of everything except tags. */
function tagsOfBoth(filter: Pick<DeviceFilter, 'tags'>, sets: Pick<DeviceFilter, 'tags'>): Pick<DeviceFilter, 'tags'> {
  return sets.tags ? { tags: distinctTags([...(filter.tags ?? []), ...sets.tags]) } : {}
}

const byVocabulary =
  <Filter>(words: readonly Word<Filter>[]): Rule<Filter> =>
  (tokens, at) => {
    const found = words
      .map((word) => ({ word, count: phraseAt(tokens, at, word.phrases) ?? 0 }))
      .reduce((best, each) => (each.count > best.count ? each : best))
    return found.count === 0 ? undefined : { count: found.count, sets: found.word.sets, says: found.word.says }
  }

/** Reads `in Lyon`, `customer Acme`: a keyword, and a name up to the next part. */
const byName =
  <Filter>(
    leads: readonly string[],
    read: (
      name: string,
      known: Known,
    ) => Pick<Taken<Filter>, never> & ({ sets: Filter; says: string } | { why: string }),
  ): Rule<Filter> =>
  (tokens, at, known) => {
    const lead = phraseAt(tokens, at, leads)
    if (lead === undefined) return undefined
    const name = nameFrom(tokens, at + lead)
    if (name.length === 0) return { count: lead, why: 'something has to follow' }
    return { count: lead + name.length, ...read(name.map(({ typed, quoted }) => quoted ?? typed).join(' '), known) }
  }

function nameFrom(tokens: readonly Token[], from: number): readonly Token[] {
  if (tokens[from]?.quoted !== undefined) return tokens.slice(from, from + 1)
  let end = from
  while (end < tokens.length && !endsName(tokens, end)) end++
  return tokens.slice(from, end)
}

const LEADS = {
  place: ['in', 'at'],
  customer: ['customer', 'of customer', 'for customer'],
  model: ['model'],
  serial: ['serial', 'serial number'],
  name: ['named', 'called'],
  tag: TAG_LEADS,
}
const SINCE = ['since', 'after']
const ENDS = [
  ...LONGER,
  ...SHORTER,
  ...SINCE,
  ...VERSION_LEADS,
  ...OLDER_LEADS,
  ...Object.values(LEADS).flat(),
  ...ALERT_NOUNS,
  ...[...DEVICE_WORDS, ...ALERT_WORDS].flatMap(({ phrases }) => phrases),
]

const endsName = (tokens: readonly Token[], at: number) =>
  tokens[at]?.quoted !== undefined ||
  isTagSign(tokens[at]) ||
  FILLERS.has(tokens[at]?.word ?? '') ||
  phraseAt(tokens, at, ENDS) !== undefined

const customer: Rule<{ customerId?: NonNullable<DeviceFilter['customerId']> }> = byName(
  LEADS.customer,
  (name, { customers }) => {
    if (customers === undefined) return { why: 'you see one customer' }
    const found = oneNamed(name, customers)
    return 'why' in found ? found : { sets: { customerId: found.id as CustomerId }, says: `customer ${found.name}` }
  },
)

const forLong: Rule<DeviceFilter> = (tokens, at) => {
  const lead = phraseAt(tokens, at, LONGER)
  const long = lead === undefined ? undefined : durationAt(tokens, at + lead)
  if (lead === undefined || long === undefined) return undefined
  const forMinutes = Math.ceil(long.value / MINUTE_MS)
  return { count: lead + long.count, sets: { forMinutes }, says: `wrong for ${formatHours(forMinutes)} or longer` }
}

const forShort: Rule<DeviceFilter> = (tokens, at, { now, timeZone }) => {
  const lead = phraseAt(tokens, at, SHORTER)
  const long = lead === undefined ? undefined : durationAt(tokens, at + lead)
  if (lead === undefined || long === undefined) return undefined
  return { count: lead + long.count, ...begunFrom(new Date(now.getTime() - long.value), timeZone) }
}

const since: Rule<DeviceFilter> = (tokens, at, known) => {
  const lead = phraseAt(tokens, at, SINCE)
  if (lead === undefined) return undefined
  const moment = pastMomentAt(tokens, at + lead, known)
  if (moment === undefined) return { count: lead, why: 'say since yesterday, monday, 06:30, 2 h ago or 2026-11-20' }
  return { count: lead + moment.count, ...begunFrom(moment.value, known.timeZone) }
}

function begunFrom(at: Date, timeZone: string) {
  const { date, time } = wallClock(at, timeZone)
  const [year = '', month, day] = date.split('-')
  return { sets: { since: at.toISOString() }, says: `since ${day}.${month}.${year.slice(2)} ${time} or later` }
}

const quotedAs =
  <Filter>(read: (text: string) => { sets: Filter; says: string }): Rule<Filter> =>
  (tokens, at) => {
    const text = tokens[at]?.quoted
    return text === undefined ? undefined : { count: 1, ...read(text) }
  }

const DEVICE_RULES: readonly Rule<DeviceFilter>[] = [
  forLong,
  forShort,
  since,
  byVocabulary(DEVICE_WORDS),
  customer,
  byName(LEADS.model, (name) => {
    const found = oneNamed(name, DEVICE_MODELS)
    return 'why' in found ? found : { sets: { modelId: found.id }, says: `model ${found.name}` }
  }),
  byName(LEADS.serial, (attrSerial) => ({ sets: { attrSerial }, says: `serial number with “${attrSerial}”` })),
  byName(LEADS.name, (deviceName) => ({ sets: { deviceName }, says: `name with “${deviceName}”` })),
  clientVersion,
  signedTag,
  byName(LEADS.tag, tagged),
  byName(LEADS.place, (place) => ({ sets: { place }, says: `place ${place}` })),
  quotedAs((search) => ({ sets: { search }, says: `the words “${search}”` })),
]

const ALERT_RULES: readonly Rule<AlertFilter>[] = [
  byVocabulary(ALERT_WORDS),
  customer,
  quotedAs((alertText) => ({ sets: { alertText }, says: `a text with “${alertText}”` })),
  (tokens, at) => (ALERT_NOUNS.includes(tokens[at]?.word ?? '') ? { count: 1, sets: {}, says: 'alerts' } : undefined),
  (tokens, at, known) => {
    const ofDevices = firstTaken(DEVICE_RULES, tokens, at, known)
    return ofDevices && { count: ofDevices.count, why: 'only devices can be asked for it' }
  },
]
