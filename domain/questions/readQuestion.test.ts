import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tagKey } from '../devices/tags.ts'
import { MINUTE_MS } from '../units/time.ts'
import type { Known, Question } from './question.ts'
import { readQuestion } from './readQuestion.ts'
import { EXAMPLES } from './taught.ts'
import { tokensOf } from './tokens.ts'

const KNOWN: Known = {
  now: new Date('2026-11-23T09:30:00Z'),
  timeZone: 'Europe/Paris',
  customers: ['Acme', 'Acme Sud', 'Città Media', 'City Light'].map((name, index) => ({
    id: index + 1,
    name,
  })),
}
const read = (text: string) => readQuestion(text, KNOWN)
const unread = ({ parts }: Question) => parts.flatMap((part) => (part.kind === 'unread' ? [part.typed] : []))
const whys = ({ parts }: Question) => parts.flatMap((part) => (part.kind === 'unread' && part.why ? [part.why] : []))
const says = ({ parts }: Question) => parts.flatMap((part) => (part.kind === 'read' ? [part.says] : []))

test.each([
  [
    'dark > 30 min in Lyon since yesterday',
    { filter: 'dark', forMinutes: 30, place: 'Lyon', since: '2026-11-21T23:00:00.000Z' },
  ],
  ['Which displays in Berlin are dark?', { place: 'Berlin', filter: 'dark' }],
  ['silent in Berlin', { filter: 'silent', place: 'Berlin' }],
  ['which displays are not reporting in Berlin', { filter: 'silent', place: 'Berlin' }],
  ['needs attention', { filter: 'wrong' }],
  ['on battery for more than 2h', { filter: 'onBattery', forMinutes: 120 }],
  ['alerted customer Acme', { filter: 'alerted', customerId: 1 }],
  ['devices with alerts for customer citta', { filter: 'alerted', customerId: 3 }],
  ['offline', { connStatusId: 0 }],
  ['maintenance in The Hague', { statusId: 3, place: 'The Hague' }],
  ['dark since monday 06:30', { filter: 'dark', since: '2026-11-23T05:30:00.000Z' }],
  ['dark since 22:15', { filter: 'dark', since: '2026-11-22T21:15:00.000Z' }],
  ['DARK SINCE 3 days ago', { filter: 'dark', since: '2026-11-20T09:30:00.000Z' }],
  ['dark <10min', { filter: 'dark', since: '2026-11-23T09:20:00.000Z' }],
  ['dark since 24.11.', { filter: 'dark', since: '2025-11-23T23:00:00.000Z' }],
  ['wrong for an hour', { filter: 'wrong', forMinutes: 60 }],
  ['tagged vip', { tags: ['vip'] }],
  ['dark #VIP in Lyon', { filter: 'dark', tags: ['VIP'], place: 'Lyon' }],
  ['#vip #"line 7" tagged Quai Nord tagged VIP', { tags: ['vip', 'line 7', 'Quai Nord'] }],
  ['in Lyon tagged to rewire since 06:30', { place: 'Lyon', tags: ['to rewire'], since: '2026-11-23T05:30:00.000Z' }],
  ['client 2.4.1 in Lyon', { clientVersion: '2.4.1', place: 'Lyon' }],
  ['offline client version < 2.4.1', { connStatusId: 0, clientVersion: 'before-2.4.1' }],
  ['devices older than 2.4.1', { clientVersion: 'before-2.4.1' }],
  ['running "nightly" model kiosk aed', { clientVersion: 'nightly', modelId: 16 }],
  ['client unknown', { clientVersion: 'unknown' }],
  ['paired model kiosk aed', { statusId: 2, modelId: 16 }],
  ['serial number WS01-22 named Quai', { attrSerial: 'WS01-22', deviceName: 'Quai' }],
  [
    'unanswered "battery park" in "In Maintenance"',
    { filter: 'unanswered', search: 'battery park', place: 'In Maintenance' },
  ],
])('devices: %s', (text, filter) => {
  const question = read(text)
  expect([question.list, question.filter, unread(question)]).toEqual(['devices', filter, []])
})

test.each([
  ['alerts', {}],
  ['open alerts now', { statusId: 1, conditionStateId: 1 }],
  ['alerts last 24 h customer Acme Sud', { filter: 'last24h', customerId: 2 }],
  ['all alerts "too warm"', { statusId: 'any', alertText: 'too warm' }],
  ['active alerts', { conditionStateId: 1 }],
  ['resolved alerts', { conditionStateId: 2 }],
])('alerts: %s', (text, filter) => {
  const question = read(text)
  expect([question.list, question.filter, unread(question)]).toEqual(['alerts', filter, []])
})

test('what was understood is said in words, and what was not is named, with why where that is known', () => {
  const question = read('dark > 30 min blah in Lyon and silent since whenever')
  expect(says(question)).toEqual(['unplanned dark', 'wrong for 30 min or longer', 'place Lyon'])
  expect(unread(question)).toEqual(['blah', 'and', 'silent', 'since', 'whenever'].filter((word) => word !== 'and'))
  expect(whys(read('dark silent'))).toEqual(['a list takes one of these'])
  expect(whys(read('dark customer c'))).toEqual(['it may be Città Media or City Light'])
  expect(whys(read('customer Nobody'))).toEqual(['nothing is called so'])
  expect(whys(read('version 2.4'))).toEqual(['say client 2.4.1, client < 2.4.1 or client unknown'])
  expect(whys(read('client 2.4.1 client 2.4.2'))).toEqual(['a list takes one of these'])
  expect(whys(read('# dark tagged a,b'))).toEqual(Array(2).fill('a tag has 1 to 40 characters and no comma'))
  expect(whys(read(Array.from({ length: 21 }, (_, index) => `#t${index}`).join(' ')))).toEqual([
    'a list takes one of these',
  ])
  expect(whys(read('dark in'))).toEqual(['something has to follow'])
  expect(whys(read('alerts in Lyon'))).toEqual(['only devices can be asked for it'])
  expect(whys(readQuestion('customer Acme', { ...KNOWN, customers: undefined }))).toEqual(['you see one customer'])
  expect(unread(read('dark since tomorrow and since 2027-01-01'))).toEqual(['since', 'tomorrow', 'since', '2027-01-01'])
})

const word = fc.constantFrom(
  ...'dark silent on battery in at since for > < 30 min 2h yesterday monday 06:30 ago alerts with active customer Acme model AED tagged # #vip client version < 2.4.1 older than serial named "a b" “ and the over 24 h last 99999999999 .'.split(
    ' ',
  ),
)

test('whatever is typed is read, and each of its words is accounted for once, in its order', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const { parts, filter } = read(typed)
      expect(parts.map((part) => part.typed).join(' ')).toBe(
        tokensOf(typed)
          .map((token) => token.typed)
          .join(' '),
      )
      expect(Object.keys(filter).length).toBeLessThanOrEqual(parts.filter(({ kind }) => kind === 'read').length + 1)
      const { since } = filter as { since?: string }
      if (since !== undefined) expect(Date.parse(since)).toBeLessThanOrEqual(KNOWN.now.getTime())
    }),
  )
})

const name = fc.stringMatching(/^[A-Za-zÀ-ÿ0-9-]{1,12}( [A-Za-zÀ-ÿ0-9-]{1,12})?$/)
const PART = {
  filter: fc.constantFrom('dark', 'silent', 'alerted', 'unanswered', 'wrong'),
  connStatusId: fc.constantFrom(0, 1),
  statusId: fc.constantFrom(1, 2, 4),
  forMinutes: fc.integer({ min: 1, max: 100_000 }),
  since: fc.date({ min: new Date('2026-10-01'), max: KNOWN.now, noInvalidDate: true }),
  place: name,
  customerId: fc.constantFrom(1, 2, 3, 4),
  attrSerial: name,
  deviceName: name,
  search: name,
  tags: fc.uniqueArray(name, { minLength: 1, maxLength: 3, selector: tagKey }),
  clientVersion: fc.constantFrom('2.4.1', '0.10.0', 'before-2.4.1', 'unknown'),
}
const STATUS_WORDS = ['', 'pending', 'paired', '', 'deactivated']

/** Writes the field as a person would. */
function written(field: string, value: never): string {
  switch (field) {
    case 'connStatusId':
      return ['offline', 'online'][value] ?? ''
    case 'statusId':
      return STATUS_WORDS[value] ?? ''
    case 'forMinutes':
      return `> ${value} min`
    case 'since':
      return `since ${(KNOWN.now.getTime() - new Date(value).getTime()) / MINUTE_MS} min ago`
    case 'customerId':
      return `customer "${KNOWN.customers?.[value - 1]?.name}"`
    case 'filter':
      return value
    case 'tags':
      return (value as string[]).map((tag, index) => (index === 0 ? `tagged "${tag}"` : `#"${tag}"`)).join(' ')
    case 'clientVersion':
      return `client ${(value as string).replace('before-', '< ')}`
    case 'search':
      return `"${value}"`
    default:
      return `${{ place: 'in', attrSerial: 'serial', deviceName: 'named' }[field]} "${value}"`
  }
}

test('a filter that is written in words is read as that filter, in whatever order and case', () => {
  const whole = fc.record(PART, { requiredKeys: [] }).map(({ since, ...filter }) => {
    if (since === undefined) return filter
    const minutesAgo = Math.min(900_000, Math.floor((KNOWN.now.getTime() - since.getTime()) / MINUTE_MS) + 1)
    return { ...filter, since: new Date(KNOWN.now.getTime() - minutesAgo * MINUTE_MS).toISOString() }
  })
  const shuffled = whole.chain((filter) =>
    fc.record({
      filter: fc.constant(filter),
      order: fc.shuffledSubarray(Object.entries(filter), { minLength: Object.keys(filter).length }),
      isLoud: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ filter, order, isLoud }) => {
      const text = order
        .map(([field, value]) => written(field, value as never))
        .map((part) => (isLoud && !part.includes('"') ? part.toUpperCase() : part))
        .join(' ')
      const question = read(text)
      expect([question.filter, unread(question)]).toEqual([filter, []])
    }),
  )
})

test.each(EXAMPLES)('what is taught is understood: %s', (example) => {
  const question = read(example)
  expect([Object.keys(question.filter).length > 0, unread(question)]).toEqual([true, []])
})
