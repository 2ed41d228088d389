import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, wallClock } from '#domain/units/wallClock.ts'
import { sunDay } from './sunTimes.ts'

const LONDON = { latitude: 51.5074, longitude: -0.1278 }
const NEW_YORK = { latitude: 40.7128, longitude: -74.006 }
const SYDNEY = { latitude: -33.8688, longitude: 151.2093 }
const TROMSO = { latitude: 69.6492, longitude: 18.9553 }

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

// The values are those of almanacs, to the minute.
test.each([
  ['2024-06-21', LONDON, 'Europe/London', '04:43', '21:21'],
  ['2024-12-21', LONDON, 'Europe/London', '08:03', '15:53'],
  ['2024-03-20', NEW_YORK, 'America/New_York', '06:59', '19:08'],
  ['2024-12-21', SYDNEY, 'Australia/Sydney', '05:41', '20:05'],
] as const)('on %s the sun rises and sets within two minutes of the almanac', (date, place, zone, rises, sets) => {
  const { sunrise, sunset } = sunDay(date, place, zone)
  const shown = [sunrise, sunset].map((at) => minuteOf(wallClock(at as Date, zone).time))
  expect(Math.abs((shown[0] ?? 0) - minuteOf(rises))).toBeLessThanOrEqual(2)
  expect(Math.abs((shown[1] ?? 0) - minuteOf(sets))).toBeLessThanOrEqual(2)
})

test('in the polar night there is no sunrise and it is set from noon on, under the midnight sun it rises at its lowest', () => {
  expect(sunDay('2024-12-21', TROMSO, 'Europe/Oslo')).toMatchObject({ sun: 'staysDown', sunrise: undefined })
  expect(wallClock(sunDay('2024-12-21', TROMSO, 'Europe/Oslo').sunset as Date, 'Europe/Oslo').time).toMatch(/^11:4/)
  expect(sunDay('2024-06-21', TROMSO, 'Europe/Oslo')).toMatchObject({ sun: 'staysUp', sunset: undefined })
  expect(wallClock(sunDay('2024-06-21', TROMSO, 'Europe/Oslo').sunrise as Date, 'Europe/Oslo').time).toMatch(/^00:4/)
})

test('wherever clocks are, the noon between sunrise and sunset is the one of their date', () => {
  const far = [
    [{ latitude: 1.87, longitude: -157.4 }, 'Pacific/Kiritimati'],
    [{ latitude: 43.8, longitude: 87.6 }, 'Asia/Shanghai'],
    [{ latitude: -14, longitude: -171 }, 'Pacific/Apia'],
  ] as const
  for (const [place, zone] of far) {
    const { sunrise, sunset } = sunDay('2024-06-21', place, zone)
    const noon = new Date(((sunrise as Date).getTime() + (sunset as Date).getTime()) / 2)
    expect(wallClock(noon, zone).date).toBe('2024-06-21')
  }
})

test('anywhere and on any day the sun rises before it sets, and its times move by minutes from day to day', () => {
  const day = fc.integer({ min: 0, max: 3000 }).map((days) => addDays('2024-01-01', days))
  const place = fc.record({
    latitude: fc.double({ min: -60, max: 60, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(day, place, (date, position) => {
      const [today, tomorrow] = [sunDay(date, position, 'UTC'), sunDay(addDays(date, 1), position, 'UTC')]
      expect(today.sun).toBe('risesAndSets')
      expect((today.sunrise as Date).getTime()).toBeLessThan((today.sunset as Date).getTime())
      const apart = ((tomorrow.sunset as Date).getTime() - (today.sunset as Date).getTime()) / 60_000
      // Another noon belongs to a date beside the date line once clocks and sun are half a day apart.
      expect([0, 1440, 2880].some((minutes) => Math.abs(apart - minutes) < 6)).toBe(true)
    }),
  )
})
