import { expect, test } from 'vitest'
import { CALLS } from '#contract/http/table.ts'
import { commandNameOf } from './commandNames.ts'

const nameOf = (path: string) => Object.values(commandNameOf({ path })).join(' ')

test('calls are typed by what they are about and what they do', () => {
  expect(
    [
      'Device/GetDeviceList',
      'Device/GetDevice',
      'Device/DelDevice',
      'Device/SetDeviceStatus',
      'Device/GetDarkness',
      'Device/UpsReboot',
      'Alert/AcknowledgeAlert',
      'AppUser/GetAppUserList',
      'Country/GetHolidayList',
      'App/GetClientAuthData',
    ].map(nameOf),
  ).toEqual([
    'devices list',
    'devices get',
    'devices delete',
    'devices set-status',
    'devices get-darkness',
    'devices ups-reboot',
    'alerts acknowledge',
    'users list',
    'countries list-holiday',
    'account get-client-auth-data',
  ])
})

test('no two calls are typed alike, and each in plain words', () => {
  const names = CALLS.map(({ path }) => nameOf(path))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)* [a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
})
