import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { startPhilipsDisplay } from '#testing/totem/simulatedPhilipsDisplay.ts'
import { philipsSicpDriver } from './sicpDriver.ts'
import { sicpAnswerIn, sicpFrame } from './sicpFrames.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('frames are the examples of the document, with the byte of the group and without', () => {
  // The frames come from V1.88 §4.1.1, §4.1.3, §6.1.3, §7.1.3 and from V2.09 for a source; other clients send the same.
  expect(sicpFrame([0x19], 1)).toEqual(hex('05 01 00 19 1d'))
  expect(sicpFrame([0x18, 0x01], 1)).toEqual(hex('06 01 00 18 01 1e'))
  expect(sicpFrame([0x18, 0x02], 1)).toEqual(hex('06 01 00 18 02 1d'))
  expect(sicpFrame([0x32, 0x37, 0x37, 0x37, 0x37, 0x37, 0x37, 0x03], 1)).toEqual(
    hex('0c 01 00 32 37 37 37 37 37 37 03 3c'),
  )
  expect(sicpFrame([0x44, 0x16, 0x32], 1)).toEqual(hex('07 01 00 44 16 32 66'))
  expect(sicpFrame([0xac, 0x0d, 0x09, 0x01, 0x00], 1)).toEqual(hex('09 01 00 ac 0d 09 01 00 a1'))
  expect(sicpFrame([0x19], 1, 'withoutGroup')).toEqual(hex('04 01 19 1c'))
})

test('a report and a verdict are found however they are cut, behind whatever came before, and a broken one is none', () => {
  const report = hex('06 01 00 19 02 1c')
  expect(sicpAnswerIn(report, 0x19, 1)).toEqual({ verdict: undefined, values: [2] })
  // Displays of another group answer like this.
  expect(sicpAnswerIn(hex('06 01 01 19 02 1d'), 0x19, 1)).toEqual({ verdict: undefined, values: [2] })
  expect(sicpAnswerIn(hex('06 01 00 00 06 01'), 0x18, 1)).toEqual({ verdict: 'done', values: [] })
  expect(sicpAnswerIn(hex('06 01 00 00 18 1f'), 0x18, 1)?.verdict).toBe('notAvailable')
  expect(sicpAnswerIn(hex('06 01 00 00 15 12'), 0x18, 1)?.verdict).toBe('notUnderstood')
  expect(sicpAnswerIn(hex('06 01 00 19 02 1d'), 0x19, 1)).toBeUndefined()
  expect(sicpAnswerIn(report, 0x19, 2)).toBeUndefined()
  expect(sicpAnswerIn(report, 0x71, 1)).toBeUndefined()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat({ max: report.length - 1 }), (bytes, cut) => {
      const before = Buffer.from(bytes.map((byte) => byte | 0x80))
      expect(sicpAnswerIn(Buffer.concat([before, report.subarray(0, cut)]), 0x19, 1)).toBeUndefined()
      expect(sicpAnswerIn(Buffer.concat([before, report]), 0x19, 1)?.values).toEqual([2])
    }),
  )
})

async function openDisplay(options: object = {}, made: Parameters<typeof startPhilipsDisplay>[0] = {}) {
  const philips = await startPhilipsDisplay(made)
  onTestFinished(() => philips.pull())
  const where = { host: '127.0.0.1', port: philips.port }
  const opened = openDriver(philipsSicpDriver, { ...where, ...options }, { topic: 'display' })
  return {
    philips,
    opened,
    display: opened.commands?.display ?? {},
    read: async () => (await opened.read(soon()))?.values,
  }
}

test('a display says its light, its temperature, its source and how long it was on', async () => {
  const { philips, opened, read } = await openDisplay()
  expect(await read()).toEqual({
    ...{ backlight_level: 80, contrast: 45, internal_temp: 44, uptime: 258 * 3600 },
    ...{ source: 'HDMI 1', out_of_order_status: 'HDMI 1' },
  })
  expect(await opened.test(soon())).toMatch(/^A Philips display answers at .*: backlight 80 %, source HDMI 1\.$/)
  philips.state.hasSignal = false
  philips.state.unavailable = [0x2f, 0x0f]
  expect(await read()).toEqual({
    ...{ backlight_level: 80, contrast: 45, source: 'HDMI 1' },
    ...{ out_of_order_status: 'ARGB', source_search_status: 'No signal' },
  })
  Object.assign(philips.state, { isPowered: false, unavailable: [] })
  expect(await read()).toEqual({ backlight_level: 0, uptime: 258 * 3600 })
})

test('an older display without groups is asked without them, and one that repeats which hours says the same', async () => {
  const { read } = await openDisplay({ frames: 'withoutGroup' }, { hasGroups: false, repeatsWhichHours: true })
  expect(await read()).toMatchObject({ backlight_level: 80, uptime: 258 * 3600 })
})

test.each(['panel', 'power'] as const)(
  'it is made dark by its %s, and lit again at the level that it keeps',
  async (darkBy) => {
    const { philips, display, read } = await openDisplay({ darkBy })
    await display.switchOff?.()
    expect(philips.state).toMatchObject({ isPowered: darkBy === 'panel', isLit: darkBy === 'power' })
    expect(await read()).toMatchObject({ backlight_level: 0 })
    await display.switchOn?.()
    expect(await read()).toMatchObject({ backlight_level: 80 })
  },
)

test('a level changes nothing else of the picture, is sent once, and what the display refuses is said', async () => {
  const { philips, display } = await openDisplay()
  await display.setBacklight?.(35)
  expect(philips.state.video).toEqual([35, 50, 45, 5, 50, 50, 3])
  expect(philips.frames.filter((frame) => frame.startsWith('0c010032'))).toHaveLength(1)
  await expect(display.apply?.({ backlightLevel: 10, brightness: 20 })).rejects.toThrow('is its backlight; set that')
  philips.state.unavailable = [0x32]
  await expect(display.setBacklight?.(30)).rejects.toThrow('The display refused to set its backlight.')
  philips.state.unavailable = [0x33]
  await expect(display.setBacklight?.(30)).rejects.toThrow('does not say what its picture is set to')
  expect(philips.state.video[0]).toBe(35)
})

test('one that is mute, or speaks another protocol, is unknown', async () => {
  const { philips, opened } = await openDisplay()
  philips.isMute = true
  await expect(opened.read(AbortSignal.timeout(50))).rejects.toThrow(/^Nothing answers at /)
})

if (socatIsMissing) console.warn(socatIsMissing)
test.skipIf(socatIsMissing)('by a serial port it says the same', async () => {
  const { philips } = await openDisplay()
  const line = await startSerialLine(philips.port)
  onTestFinished(() => line.unplug())
  const opened = openDriver(philipsSicpDriver, { path: line.path }, { topic: 'display' })
  expect((await opened.read(soon()))?.values).toMatchObject({ backlight_level: 80, internal_temp: 44 })
})
