import { expect, test } from 'vitest'
import { isTimeZoneName } from './timeZone.ts'

test.each(['Europe/Oslo', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+2', 'UTC', 'Asia/Kolkata'])(
  '%s is a time zone',
  (name) => {
    expect(isTimeZoneName(name)).toBe(true)
  },
)

test.each(['', '+02:00', '-05', 'Europe/Nowhere', 'europe/oslo', 'Europe/Oslo\n', 'CET+1', '../etc/localtime', 'Z'])(
  '%j is no time zone',
  (name) => {
    expect(isTimeZoneName(name)).toBe(false)
  },
)
