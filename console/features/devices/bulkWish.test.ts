import { expect, test } from 'vitest'
import type { SettingSection } from '#contract/http/deviceSettings.ts'
import type { CommandArguments } from '#contract/mqtt/command.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type ComparedDevice, compared } from './bulkWish.ts'

const ARGS: CommandArguments<'display.apply'> = {
  ...{ displayNumber: 1, brightness: 50, backlightLevel: 80, gammaValue: 2.2 },
  ...{ redColorBalance: 50, greenColorBalance: 50, blueColorBalance: 50 },
}
function device(desired: Readonly<Record<string, unknown>> | null, number = 1): ComparedDevice {
  const section = { section: 'display', number, desired, desiredAt: null, desiredBy: null } as const
  const nothing = { reported: null, reportedAt: null, reason: null, refusal: null }
  return {
    ...{ deviceId: 1 as DeviceId, name: 'Praha', statusId: 2, modelId: 15, isOnline: true, displayNumbers: [1, 2] },
    sections: [{ ...section, ...nothing } as SettingSection],
  }
}
const verdict = (args: CommandArguments<'display.apply'>, of: ComparedDevice) =>
  compared({ kind: 'display', args }, of).verdict

test('a device differs when one value is another, or nobody has set any', () => {
  expect(verdict(ARGS, device({ ...ARGS }))).toBe('same')
  expect(verdict(ARGS, device({ ...ARGS, backlightLevel: 79 }))).toBe('differs')
  expect(verdict(ARGS, device(null))).toBe('differs')
})

test('a touch screen that stays as it is makes no difference', () => {
  expect(verdict(ARGS, device({ ...ARGS, touchScreenStatus: 'OFF' }))).toBe('same')
  expect(verdict({ ...ARGS, touchScreenStatus: undefined }, device({ ...ARGS, touchScreenStatus: 'OFF' }))).toBe('same')
  expect(verdict({ ...ARGS, touchScreenStatus: 'ON' }, device({ ...ARGS, touchScreenStatus: 'OFF' }))).toBe('differs')
})

test('each display is compared with its own settings', () => {
  expect(verdict({ ...ARGS, displayNumber: 2 }, device({ ...ARGS }))).toBe('differs')
  expect(verdict({ ...ARGS, displayNumber: 2 }, device({ ...ARGS, displayNumber: 2 }, 2))).toBe('same')
})

test('a device without the display is not asked to set it', () => {
  expect(verdict({ ...ARGS, displayNumber: 3 }, device(null))).toBe('absent')
})

test('the present status is told in words', () => {
  expect(compared({ kind: 'status', statusId: 3 }, device(null))).toMatchObject({ verdict: 'differs', now: ['Paired'] })
  expect(compared({ kind: 'status', statusId: 2 }, device(null)).verdict).toBe('same')
})
