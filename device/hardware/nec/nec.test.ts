import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { startNecDisplay } from '#testing/totem/simulatedNecDisplay.ts'
import { necDriver } from './necDriver.ts'
import { necAnswerIn, necDiagnosisIn, necMessage, necPowerIn, necValueIn } from './necFrames.ts'

const hex = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex')

/** The manual gives these examples for backlight and power, and other clients send the same. */
const ASK_BACKLIGHT = hex('01-30-41-30-43-30-36-02-30-30-31-30-03-04-0d')
const SET_BACKLIGHT = hex('01-30-41-30-45-30-41-02-30-30-31-30-30-30-35-30-03-70-0d')
const ASK_INPUT = hex('01-30-41-30-43-30-36-02-30-30-36-30-03-03-0d')
const POWER_ON = hex('01-30-41-30-41-30-43-02-43-32-30-33-44-36-30-30-30-31-03-73-0d')
const POWER_OFF = hex('01-30-41-30-41-30-43-02-43-32-30-33-44-36-30-30-30-34-03-76-0d')
const ASK_POWER = hex('01-30-41-30-41-30-36-02-30-31-44-36-03-74-0d')
const POWER_IS_ON = hex('01-30-30-41-42-31-32-02-30-32-30-30-44-36-30-30-30-30-30-34-30-30-30-31-03-74-0d')

test('messages are the examples of the manual, and so are the answers', () => {
  expect(necMessage('C', 1, '0010')).toEqual(ASK_BACKLIGHT)
  expect(necMessage('E', 1, '00100050')).toEqual(SET_BACKLIGHT)
  expect(necMessage('C', 1, '0060')).toEqual(ASK_INPUT)
  expect(necMessage('A', 1, 'C203D60001')).toEqual(POWER_ON)
  expect(necMessage('A', 1, 'C203D60004')).toEqual(POWER_OFF)
  expect(necMessage('A', 1, '01D6')).toEqual(ASK_POWER)
  const data = necAnswerIn(POWER_IS_ON, 'A', 1)
  expect(data).toBe('0200D60000040001')
  expect(necPowerIn(data ?? '')).toBe(1)
  expect(necPowerIn('0100D60000040001')).toBeUndefined()
  expect(necValueIn('0000100000640050', '0010')).toBe(80)
  expect(necValueIn('0100100000640032', '0010')).toBeUndefined()
  expect(necValueIn('0000120000640032', '0010')).toBeUndefined()
  expect(necDiagnosisIn('A100')).toEqual([])
  expect(necDiagnosisIn('A17090')).toEqual([0x70, 0x90])
  expect(necDiagnosisIn('BE')).toBeUndefined()
})

test('an answer is found however it is cut, behind whatever came before; a broken one and one of another display is none', () => {
  expect(necAnswerIn(POWER_IS_ON, 'A', 2)).toBeUndefined()
  expect(necAnswerIn(POWER_IS_ON, 'C', 1)).toBeUndefined()
  const broken = Buffer.from(POWER_IS_ON)
  broken[broken.length - 4] = 0x32
  expect(necAnswerIn(broken, 'A', 1)).toBeUndefined()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: POWER_IS_ON.length - 2 }), (bytes, cut) => {
      const before = Buffer.from(bytes)
      expect(necAnswerIn(Buffer.concat([before, POWER_IS_ON]), 'A', 1)).toBe('0200D60000040001')
      expect(necAnswerIn(POWER_IS_ON.subarray(0, cut), 'A', 1)).toBeUndefined()
    }),
  )
})

async function openDisplay(options: object = {}) {
  const nec = await startNecDisplay()
  onTestFinished(() => nec.pull())
  const log: string[] = []
  const where = { host: '127.0.0.1', port: nec.port }
  const opened = openDriver(necDriver, { ...where, ...options }, { topic: 'display', log: (line) => log.push(line) })
  return {
    nec,
    log,
    opened,
    display: opened.commands?.display ?? {},
    read: async () => (await opened.read(soon()))?.values,
  }
}

test('a display says its light, its temperature, its input and how long it was on', async () => {
  const { nec, opened, read } = await openDisplay()
  expect(await read()).toEqual({
    ...{ backlight_level: 80, brightness: 45, contrast: 50, internal_temp: 41.5, uptime: 1234 * 3600 },
    ...{ source: 'HDMI 1', out_of_order_status: 'HDMI 1', lamp_fault: 0, diagnosis: 'none' },
  })
  expect(await opened.test(soon())).toMatch(/^An NEC display answers at .*: backlight 80 %, source HDMI 1\.$/)
  // Newer models count in minutes, in two halves.
  nec.state.unsupported = ['0012', '0278']
  nec.state.values.set('11FE', 1).set('11FF', 2)
  expect(await read()).toMatchObject({ uptime: 65_538 * 60, contrast: undefined, internal_temp: undefined })
})

test('the sensor that is named is read, below zero too', async () => {
  const { read } = await openDisplay({ sensor: 2 })
  expect(await read()).toMatchObject({ internal_temp: -2.5 })
})

test('what it diagnoses is said once, and reported: no signal, a backlight of which nobody knows what is left, a fan', async () => {
  const { nec, log, opened, read } = await openDisplay()
  nec.state.diagnosis = 'B0'
  expect(await read()).toMatchObject({
    out_of_order_status: 'ARGB',
    source_search_status: 'No signal',
    ...{ backlight_level: 80, lamp_fault: 0, diagnosis: 'none' },
  })
  nec.state.diagnosis = '9080'
  expect(await read()).toMatchObject({
    ...{ backlight_level: undefined, lamp_fault: 1, diagnosis: 'fan 1' },
    out_of_order_status: 'HDMI 1',
  })
  await read()
  expect(log).toEqual(['Display 1 diagnoses: no signal.', 'Display 1 diagnoses: backlight, fan 1.'])
  expect(await opened.test(soon())).toContain(' It diagnoses: backlight, fan 1.')
})

test.each([2, 3, 4])('in power state %i it gives no light', async (power) => {
  const { nec, read } = await openDisplay()
  nec.state.power = power
  expect(await read()).toEqual({ backlight_level: 0 })
})

test.each(['panel', 'power'] as const)(
  'it is made dark by its %s, and lit again at the level that it keeps',
  async (darkBy) => {
    const { nec, display, read } = await openDisplay({ darkBy })
    await display.switchOff?.()
    expect(nec.state.power).toBe(darkBy === 'panel' ? 1 : 4)
    expect(nec.state.values.get('10B6')).toBe(darkBy === 'panel' ? 1 : 2)
    expect(await read()).toMatchObject({ backlight_level: 0 })
    nec.state.power = 1
    await display.switchOn?.()
    expect(await read()).toMatchObject({ backlight_level: 80 })
    await display.apply?.({ backlightLevel: 35, brightness: 60 })
    expect(await read()).toMatchObject({ backlight_level: 35, brightness: 60 })
  },
)

test('a refusal is said, and the message was sent once', async () => {
  const { nec, display } = await openDisplay()
  nec.state.unsupported = ['0092']
  await expect(display.apply?.({ brightness: 20 })).rejects.toThrow('The display refused to set its brightness.')
  expect(nec.messages).toEqual(['E00920014'])
  nec.state.power = 4
  await expect(display.apply?.({ brightness: 20 })).rejects.toThrow('The display refused to set its brightness.')
})

if (socatIsMissing) console.warn(socatIsMissing)
test.skipIf(socatIsMissing)('by a serial port it says the same', async () => {
  const { nec } = await openDisplay()
  const line = await startSerialLine(nec.port)
  onTestFinished(() => line.unplug())
  const opened = openDriver(necDriver, { path: line.path }, { topic: 'display' })
  expect((await opened.read(soon()))?.values).toMatchObject({ backlight_level: 80, internal_temp: 41.5 })
})
