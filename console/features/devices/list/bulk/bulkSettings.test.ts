import { expect, test } from 'vitest'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import type { DeviceId } from '#domain/ids.ts'
import { changesText, undoneByLightText } from './bulkLabels.ts'
import { type BulkChange, type ComparedDevice, compared } from './bulkSettings.ts'

const CALIBRATED = {
  ...{ backlightLevel: 80, brightness: 43, gammaValue: 2.4 },
  ...{ redColorBalance: 61, greenColorBalance: 52, blueColorBalance: 47 },
}
type Present = ComparedDevice['present'][number]
const display = (number: number, values: Record<string, unknown> = CALIBRATED): Present => ({
  section: 'display',
  number,
  values,
})
const withDesired = (desired: Record<string, unknown>, reason: SettingSection['reason'] = null): SettingSection => ({
  ...{ section: 'display', number: 1, desired, desiredAt: null, desiredBy: null, reported: null, reportedAt: null },
  ...{ reason, refusal: null },
})
const device = (changes: Partial<ComparedDevice> = {}): ComparedDevice => ({
  ...{ deviceId: 1 as DeviceId, name: 'Praha', statusId: 2, modelId: 15, isOnline: true, displayNumbers: [1, 2] },
  ...{
    position: null,
    knowsDayPlans: true,
    tags: [],
    automaticDisplays: [],
    present: [display(1), display(2)],
    sections: [],
  },
  ...changes,
})
const displays = (
  chosen: Extract<BulkChange, { kind: 'display' }>['chosen'],
  which: 'all' | number = 'all',
): BulkChange => ({ kind: 'display', which, chosen })

test('a device differs by what it reports, whatever it was to have', () => {
  const of = (values: Record<string, unknown>, ...sections: SettingSection[]) =>
    compared(displays({ backlightLevel: 80 }), device({ present: [display(1, values)], sections }))
  expect(of({ backlightLevel: 80 }, withDesired({ backlightLevel: 10 })).verdict).toBe('same')
  expect(of({ backlightLevel: 79 }, withDesired({ backlightLevel: 80 }))).toMatchObject({
    ...{ verdict: 'differs', changes: ['backlight'], words: ['backlight 79 % → 80 %'] },
  })
})

test('what was not chosen makes no difference', () => {
  const { verdict, changes } = compared(displays({ backlightLevel: 80 }), device({ present: [display(1)] }))
  expect([verdict, changes]).toEqual(['same', []])
})

test('a value that the device never reported is said to be unknown, and differs', () => {
  expect(compared(displays({ gammaValue: 2.2 }), device({ present: [display(1, {})] }))).toMatchObject({
    ...{ verdict: 'differs', words: ['gamma not known → 2.2'] },
  })
  expect(compared(displays({}), device({ present: [display(1, { brightness: 4 })] })).words[0]).toMatch(
    /^backlight not known · brightness 4 · gamma not known/,
  )
})

test('another value that is still on its way to the device makes a difference', () => {
  const sections = [withDesired({ backlightLevel: 10 }, 'offline')]
  expect(compared(displays({ backlightLevel: 80 }), device({ present: [display(1)], sections }))).toMatchObject({
    ...{ verdict: 'differs', words: ['backlight 10 % on its way → 80 %'] },
  })
})

test('one step reaches every display of a device that differs, or only the one of a number', () => {
  const present = [display(1), display(2, { ...CALIBRATED, backlightLevel: 20 }), display(3, { backlightLevel: 7 })]
  const change = { backlightLevel: 80 }
  expect(compared(displays(change), device({ present })).numbers).toEqual([2, 3])
  expect(compared(displays(change, 3), device({ present }))).toMatchObject({ verdict: 'differs', numbers: [3] })
  expect(compared(displays(change, 1), device({ present }))).toMatchObject({ verdict: 'same', numbers: [1] })
  expect(compared(displays(change), device({ present })).words).toEqual([
    'Display 1: backlight 80 %',
    'Display 2: backlight 20 % → 80 %',
    'Display 3: backlight 7 % → 80 %',
  ])
})

test('who cannot have it is left out with the reason', () => {
  const change = displays({ backlightLevel: 1 }, 3)
  expect(compared(change, device())).toMatchObject({ verdict: 'leftOut', words: ['It has no such display.'] })
  expect(compared(displays({ backlightLevel: 1 }), device({ statusId: 4 }))).toMatchObject({
    ...{ verdict: 'leftOut', words: ['Deactivated: it takes no settings.'] },
  })
})

test('a sensor whose curve is not known whole, or would make no sense, is left out with the reason', () => {
  const sensor = (values: Record<string, unknown>) =>
    device({ present: [{ section: 'ambientSensor', number: 1, values }] })
  const change: BulkChange = { kind: 'ambientSensor', which: 'all', chosen: { minBacklight: 60 } }
  expect(
    compared(change, sensor({ backlightAutomaticStatus: true, maxBacklight: 90, minAmbientLight: 3 })).words,
  ).toEqual(['It has never reported maximum ambient light. Choose that as well.'])
  expect(compared(change, sensor({ maxBacklight: 50 })).words).toEqual([
    'The minimum cannot exceed the maximum: backlight from 60 to 50 %.',
  ])
  const known = { backlightAutomaticStatus: true, minBacklight: 10, minAmbientLight: 3, maxAmbientLight: 900 }
  expect(compared(change, sensor({ ...known, maxBacklight: 50 })).words).toEqual([
    'The minimum cannot exceed the maximum: backlight from 60 to 50 %.',
  ])
  expect(compared(change, sensor({ ...known, maxBacklight: 90 }))).toMatchObject({
    ...{ verdict: 'differs', changes: ['minimum backlight'] },
  })
})

test('groups of off times are compared one by one, and equal times are told as dark 24 h', () => {
  const values = { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00', wkndTimeOffFrom: null, wkndTimeOffTo: null }
  const has = device({ present: [{ section: 'turnOff', number: 1, values }] })
  const of = (chosen: Extract<BulkChange, { kind: 'turnOff' }>['chosen']) => compared({ kind: 'turnOff', chosen }, has)
  expect(of({ wkndTimeOffFrom: null, wkndTimeOffTo: null }).verdict).toBe('same')
  expect(of({ wdTimeOffFrom: '20:00', wdTimeOffTo: '20:00' })).toMatchObject({
    changes: ['off times of workdays'],
    words: ['workdays 22:00–06:00 → dark 24 h from 20:00'],
  })
  expect(of({ holTimeOffFrom: null, holTimeOffTo: null }).words).toEqual(['holidays not known → never off'])
})

test('the present status is told in words', () => {
  expect(compared({ kind: 'status', statusId: 3 }, device())).toMatchObject({ verdict: 'differs', words: ['Paired'] })
  expect(compared({ kind: 'status', statusId: 2 }, device()).verdict).toBe('same')
})

test('what changes is counted by value, each device once', () => {
  const rows = [10, 20, 80].map((backlightLevel) =>
    compared(
      displays({ backlightLevel: 80, gammaValue: 2.4 }),
      device({ present: [1, 2].map((number) => display(number, { ...CALIBRATED, backlightLevel })) }),
    ),
  )
  expect(changesText(rows)).toBe('Changes backlight on 2, nothing else.')
  expect(changesText([compared(displays({ backlightLevel: 1, gammaValue: 2 }), device())])).toBe(
    'Changes backlight on 1 and gamma on 1, nothing else.',
  )
  expect(changesText([compared(displays({ gammaValue: 2.4 }), device())])).toBe('Changes nothing.')
})

test('a backlight that the ambient light sets again is told before', () => {
  const steered = device({ automaticDisplays: [2] })
  const warning = (change: BulkChange) => undoneByLightText([compared(change, steered), compared(change, device())])
  expect(warning(displays({ backlightLevel: 30 }))).toMatch(/^On one of them automatic backlight is on/)
  expect(warning(displays({ backlightLevel: 30 }, 1))).toBeUndefined()
  expect(warning(displays({ gammaValue: 2 }))).toBeUndefined()
})

test('tags are given and taken away beside the others, and who would have too many is left out', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  const add = (tags: string[], present: string[]) => compared({ kind: 'addTags', tags }, device({ tags: present }))
  expect(add(['Messe'], ['Rewire'])).toMatchObject({ verdict: 'differs', words: ['Rewire → Rewire · Messe'] })
  expect(add(['MESSE'], ['Messe'])).toMatchObject({ verdict: 'same', words: ['Messe'] })
  expect(add(['Messe'], twenty)).toMatchObject({
    ...{ verdict: 'leftOut', words: ['Tags would be 21: a device has at most 20'] },
  })
  expect(compared({ kind: 'removeTags', tags: ['rewire'] }, device({ tags: ['Rewire'] }))).toMatchObject({
    ...{ verdict: 'differs', words: ['Rewire → no tags'] },
  })
})
