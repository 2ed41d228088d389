import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { listMessages } from '#contract/http/devices/records.ts'
import { readStatusAddress, recordsPeriodAt, writeStatusAddress } from './statusAddress.ts'

const FROM = '2026-11-20T08:00:00.000Z'
const TO = '2026-11-20T22:59:59.999Z'
const period = { from: new Date(FROM), to: new Date(TO) }

test('an address that says nothing is the Dashboard, and would ask for event type 3', () => {
  expect(readStatusAddress({})).toEqual({ view: 'dashboard', eventTypeId: 3, text: '' })
})

test('what was written is read back', () => {
  const address = { view: 'messages', eventTypeId: 5, period, text: 'fan; "2"' } as const
  expect(readStatusAddress(writeStatusAddress(address))).toEqual(address)
})

test('only what changes is written, and what is as usual takes its parameter away', () => {
  expect(writeStatusAddress({ eventTypeId: 4 })).toEqual({ evTypeId: 4 })
  expect(writeStatusAddress({ view: 'dashboard', text: '' })).toEqual({ view: undefined, text: undefined })
  expect(writeStatusAddress({ period })).toEqual({ dateFrom: FROM, dateTo: TO })
})

test.each([
  ['only one end', { dateFrom: FROM }],
  ['ends in the wrong order', { dateFrom: TO, dateTo: FROM }],
  ['an empty period', { dateFrom: FROM, dateTo: FROM }],
  ['no date', { dateFrom: 'yesterday', dateTo: TO }],
  ['a day that does not exist', { dateFrom: '2026-02-30', dateTo: TO }],
  ['a year that no database holds', { dateFrom: '0001-01-01', dateTo: '9999-12-31' }],
  ['objects', { dateFrom: { $gt: '' }, dateTo: [TO] }],
])('%s is no period', (_, search) => {
  expect(readStatusAddress(search)).not.toHaveProperty('period')
})

test('a date alone is its midnight in UTC, and another offset is the same moment', () => {
  expect(readStatusAddress({ dateFrom: '2026-11-20', dateTo: '2026-11-20T23:59:59.999+01:00' }).period).toEqual({
    from: new Date('2026-11-20T00:00:00Z'),
    to: period.to,
  })
})

test.each([
  [{ view: 'raw' }, 'raw'],
  [{ view: 'messages' }, 'messages'],
  [{ view: 'settings' }, 'dashboard'],
  [{ view: ['raw'] }, 'dashboard'],
  [{ view: '__proto__' }, 'dashboard'],
])('the view of %j is %s', (search, view) => {
  expect(readStatusAddress(search).view).toBe(view)
})

test.each([
  ['5', 5],
  [5, 5],
  [0, 3],
  [-4, 3],
  [4.5, 3],
  ['<b>', 3],
  [{}, 3],
  [1e12, 3],
  [null, 3],
])('field group %j is event type %i', (evTypeId, eventTypeId) => {
  expect(readStatusAddress({ evTypeId }).eventTypeId).toBe(eventTypeId)
})

test.each([['plain'], ['x'.repeat(1_000)], ['a\0b'], [`${'x'.repeat(199)}😀`], ['\ud800'], [404], [true]])(
  'the search text %j is one that the call takes',
  (text) => {
    const read = readStatusAddress({ text }).text
    expect(read.slice(0, 1)).toBe(String(text).toWellFormed().slice(0, 1))
    const query = { deviceId: 1, dateFrom: FROM, dateTo: TO, text: read }
    expect(listMessages.query.safeParse(query).success).toBe(true)
  },
)

test('a search text that is no text is none', () => {
  expect([[], {}, null, undefined].map((text) => readStatusAddress({ text }).text)).toEqual(['', '', '', ''])
})

test('the usual period is from one hour ago to the end of today, of the viewer', () => {
  const now = new Date(2026, 10, 20, 14, 35, 12, 345)
  expect(recordsPeriodAt(now)).toEqual({
    from: new Date(2026, 10, 20, 13, 35, 0, 0),
    to: new Date(2026, 10, 20, 23, 59, 59, 999),
  })
})

test('shortly after midnight it begins on the day before and still ends today', () => {
  const { from, to } = recordsPeriodAt(new Date(2026, 10, 20, 0, 20))
  expect([from, to].map((moment) => dayjs(moment).format('DD HH:mm'))).toEqual(['19 23:20', '20 23:59'])
})
