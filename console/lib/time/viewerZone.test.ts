import { expect, test } from 'vitest'
import { writeCell } from '#console/lib/csv.ts'
import { signInAs } from '#console/testing/signInAs.ts'
import { PERIOD_PRESETS } from '#console/ui/filter/period.ts'
import { formatBucket, formatDateTime, formatFileDate } from './time.ts'
import { fieldTextOf, momentOfField, startOfViewersDay, viewersDaysLater, viewerTimeZone } from './viewerZone.ts'

const AT = new Date('2027-03-14T09:30:15Z')

test('every time is written in the zone that the viewer has chosen', () => {
  signInAs({ timeZone: 'Asia/Kathmandu' })
  expect(viewerTimeZone()).toBe('Asia/Kathmandu')
  expect(formatDateTime(AT)).toBe('14.03.27 15:15:15')
  expect(writeCell(AT.toISOString())).toBe('"14.03.27 15:15:15"')
  expect(formatFileDate('2027-03-14T20:00:00Z')).toBe('2027-03-15')
  signInAs({ timeZone: 'America/St_Johns' })
  expect(formatDateTime(AT)).toBe('14.03.27 07:00:15')
})

test('without a choice, or with a zone that is not known here, it is the browser’s', () => {
  signInAs({ timeZone: '' })
  const own = formatDateTime(AT)
  signInAs({ timeZone: 'Moon/Crater' })
  expect(formatDateTime(AT)).toBe(own)
  expect(viewerTimeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('days begin at the viewer’s midnight, also those of 23 hours', () => {
  signInAs({ timeZone: 'America/New_York' })
  expect(startOfViewersDay(AT).toISOString()).toBe('2027-03-14T05:00:00.000Z')
  expect(startOfViewersDay(AT, 1).toISOString()).toBe('2027-03-15T04:00:00.000Z')
  expect(viewersDaysLater(new Date('2027-03-13T20:00:00Z'), 1).toISOString()).toBe('2027-03-14T19:00:00.000Z')
  const year = PERIOD_PRESETS.find(({ label }) => label === 'Last 12 months')?.at(AT)
  expect(year?.from.toISOString()).toBe('2026-03-14T04:00:00.000Z')
})

test('what is chosen in a field for dates is meant in that zone', () => {
  signInAs({ timeZone: 'Asia/Tokyo' })
  expect(fieldTextOf(AT)).toBe('2027-03-14 18:30:15')
  expect(momentOfField('2027-03-14 18:30:00')?.toISOString()).toBe('2027-03-14T09:30:00.000Z')
  expect(momentOfField('nonsense')).toBeUndefined()
})

test('of a time that the clock shows twice it is said which of the two', () => {
  signInAs({ timeZone: 'Europe/Berlin' })
  expect(formatBucket(new Date('2027-10-31T00:30:00Z'))).toBe('31.10.27 02:30 +02:00')
  expect(formatBucket(new Date('2027-10-31T01:30:00Z'))).toBe('31.10.27 02:30 +01:00')
  expect(formatBucket(AT)).toBe('14.03.27 10:30')
})
