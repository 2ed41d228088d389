import { expect, test } from 'vitest'
import { keptDisplaySettings, presentSettings, type SettingReading } from './presentSettings.ts'

const at = new Date('2026-03-01T12:00:00Z')
const readings =
  (values: Record<string, unknown>) =>
  (name: string): SettingReading | undefined =>
    name in values ? { value: values[name], at } : undefined
const secondsLater = (seconds: number) => new Date(at.getTime() + seconds * 1000)

test('what a device reports or confirmed is known by whichever is newer; what it never said is absent', () => {
  const of = (reportedAt: Date) =>
    presentSettings('display', readings({ gamma_value: 2.4 }), {
      reported: { gammaValue: 2, brightness: 7 },
      reportedAt,
    })
  expect(of(secondsLater(1))).toEqual({ gammaValue: 2, brightness: 7 })
  expect(of(secondsLater(-1))).toEqual({ gammaValue: 2.4, brightness: 7 })
  expect(presentSettings('display', readings({}), undefined)).toEqual({})
})

test('readings are told as the arguments of a command', () => {
  const of = (status: unknown) =>
    presentSettings('ambientSensor', readings({ backlight_automatic_status: status }), undefined)
  expect([of(1), of(0)]).toEqual([{ backlightAutomaticStatus: true }, { backlightAutomaticStatus: false }])
  const touch = (status: string) => presentSettings('display', readings({ touch_matrix_status: status }), undefined)
  expect([touch('Driver is running'), touch('gone'), touch('')]).toEqual([
    { touchScreenStatus: 'ON' },
    { touchScreenStatus: 'OFF' },
    {},
  ])
})

test('a level of the moment is not what is set', () => {
  const present = { backlightLevel: 70, gammaValue: 2.4, touchScreenStatus: 'OFF' }
  const kept = (isSteered: boolean, isDark: boolean, wished = {}) =>
    keptDisplaySettings(present, wished, { isSteered, isDark })
  expect(kept(false, false)).toEqual({ backlightLevel: 70, gammaValue: 2.4 })
  expect(kept(false, true, { backlightLevel: 55 })).toEqual({ gammaValue: 2.4 })
  expect(kept(true, false)).toEqual({ gammaValue: 2.4 })
  expect(kept(true, true, { backlightLevel: 55, brightness: 3 })).toEqual({
    backlightLevel: 55,
    gammaValue: 2.4,
    brightness: 3,
  })
})
