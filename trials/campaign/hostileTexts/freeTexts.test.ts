import { expect, test } from 'vitest'
import type { Call } from '#contract/call/call.ts'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import { changeDeviceTags, setDeviceStatus } from '#contract/http/devices/details.ts'
import { createDevice } from '#contract/http/devices/devices.ts'
import { setHolidays } from '#contract/http/operation/holidays.ts'
import { changePassword } from '#contract/http/people/account.ts'
import { CALLS } from '#contract/http/table.ts'
import { FREE_TEXT_CALLS, freeTextsOf, withFreeTexts } from './freeTexts.ts'

test.each<[string, Call, readonly string[]]>([
  ['beside an id', createDevice, ['name']],
  ['in rows', setHolidays, ['rows[].name']],
  ['in rows of rows', setDeviceComponents, expect.arrayContaining(['[].label', '[].jsonSettings[].logicalName'])],
  ['in lists of them', changeDeviceTags, ['add[]', 'remove[]']],
  ['nowhere among numbers', setDeviceStatus, []],
  ['not in passwords', changePassword, []],
])('texts of people are found %s', (_, call, places) => {
  expect(freeTextsOf(call)).toEqual(places)
})

test('calls in which people leave texts are those that change something', () => {
  expect(FREE_TEXT_CALLS.length).toBeGreaterThan(10)
  expect(CALLS).toEqual(expect.arrayContaining([...FREE_TEXT_CALLS]))
  expect(FREE_TEXT_CALLS.every(({ changes }) => changes !== undefined)).toBe(true)
})

test('a text is put wherever one may stand, and nowhere else', () => {
  const rows = [{ date: '2027-01-01' }, { date: '2027-01-02', name: 'New Year' }]
  expect(withFreeTexts(setHolidays, { countryId: 1, year: 2027, rows }, '<b>')).toEqual({
    countryId: 1,
    year: 2027,
    rows: [
      { date: '2027-01-01', name: '<b>' },
      { date: '2027-01-02', name: 'New Year' },
    ],
  })
  expect(withFreeTexts(changeDeviceTags, { id: 1, add: [], remove: ['<i>'] }, '<b>')).toEqual({
    id: 1,
    add: ['<b>'],
    remove: ['<i>'],
  })
  expect(withFreeTexts(setHolidays, { rows: null }, '<b>')).toEqual({ rows: null })
})
