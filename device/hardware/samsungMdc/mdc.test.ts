import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { startMdcPanel } from '#testing/totem/simulatedMdcPanel.ts'
import { wakeByNetwork } from '../wire/wakeByNetwork.ts'
import { samsungMdcDriver } from './mdcDriver.ts'
import { mdcAnswerIn, mdcFrame } from './mdcFrames.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('frames are those of the document: power on for every display, power off, and a question to display 0', () => {
  expect(mdcFrame(0x11, 0xfe, [1])).toEqual(hex('aa 11 fe 01 01 11'))
  expect(mdcFrame(0x11, 0xfe, [0])).toEqual(hex('aa 11 fe 01 00 10'))
  expect(mdcFrame(0x11, 0x00)).toEqual(hex('aa 11 00 00 11'))
})

test('an answer is found however it is cut, behind whatever came before, and a broken one is none', () => {
  const answer = hex('aa ff 01 03 41 58 50 ec')
  expect(mdcAnswerIn(answer, 0x58, 1)).toEqual({ isAcknowledged: true, values: [0x50] })
  expect(mdcAnswerIn(hex('aa ff 01 03 4e 58 01 aa'), 0x58, 1)).toEqual({ isAcknowledged: false, values: [1] })
  expect(mdcAnswerIn(hex('aa ff 01 03 41 58 51 ec'), 0x58, 1)).toBeUndefined()
  expect(mdcAnswerIn(answer, 0x25, 1)).toBeUndefined()
  expect(mdcAnswerIn(answer, 0x58, 2)).toBeUndefined()
  const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.map((byte) => byte & 0x7f)))
  fc.assert(
    fc.property(noise, fc.nat({ max: answer.length - 1 }), (before, cut) => {
      expect(mdcAnswerIn(Buffer.concat([before, answer.subarray(0, cut)]), 0x58, 1)).toBeUndefined()
      expect(mdcAnswerIn(Buffer.concat([before, answer]), 0x58, 1)?.values).toEqual([0x50])
    }),
  )
})

async function openPanel(options: Readonly<Record<string, unknown>> = {}) {
  const panel = await startMdcPanel()
  onTestFinished(() => panel.pull())
  const where = 'path' in options ? {} : { host: '127.0.0.1', port: panel.port }
  const opened = openDriver(samsungMdcDriver, { ...where, ...options }, { topic: 'display' })
  const display = opened.commands?.display ?? {}
  return { panel, opened, display, read: async () => (await opened.read(soon()))?.values }
}

test('a panel says its light, its temperature, its source and how long it was on', async () => {
  const { read, opened } = await openPanel()
  expect(await read()).toEqual({
    uptime: 258 * 600,
    source: 'HDMI 1',
    backlight_level: 80,
    contrast: 75,
    brightness: 60,
    internal_temp: 41,
    out_of_order_status: 'HDMI 1',
    lamp_fault: 0,
    diagnosis: 'none',
  })
  expect(await opened.test(soon())).toMatch(
    /^A Samsung panel answers at 127\.0\.0\.1:\d+: backlight 80 %, source HDMI 1\.$/,
  )
})

test('what a model does not know stays unknown; darkness, a broken lamp and a missing picture are told', async () => {
  const { panel, read } = await openPanel()
  panel.state.refused = [0x24, 0x83]
  panel.state.hasSignal = false
  expect(await read()).toEqual({
    source: 'HDMI 1',
    backlight_level: 80,
    brightness: 60,
    internal_temp: 41,
    out_of_order_status: 'ARGB',
    source_search_status: 'No signal',
    lamp_fault: 0,
    diagnosis: 'none',
  })
  Object.assign(panel.state, { isLampFaulty: true, isTooHot: true, isFanFaulty: true })
  expect(await read()).toMatchObject({ backlight_level: 0, lamp_fault: 1, diagnosis: 'too hot, fan' })
  Object.assign(panel.state, { isLampFaulty: false, isPanelOn: false })
  expect(await read()).toMatchObject({ backlight_level: 0, internal_temp: 41 })
  panel.state.isPowered = false
  expect(await read()).toEqual({ backlight_level: 0 })
})

test('silence is unknown: without its plug, without an answer, and by another protocol', async () => {
  const { panel, opened } = await openPanel()
  panel.isMute = true
  await expect(opened.read(AbortSignal.timeout(50))).rejects.toThrow(/^Nothing answers at 127\.0\.0\.1:\d+ in time\.$/)
  await panel.pull()
  await expect(opened.read(soon())).rejects.toThrow(/^Nothing listens at /)
  await panel.plugIn()
  panel.isMute = false
  expect(await opened.read(soon())).toBeDefined()
})

test('level 0 is darkness, and what was switched off stays dark whatever its level, until it is switched on', async () => {
  const { panel, display, read } = await openPanel()
  await display.setBacklight?.(0)
  expect(panel.state).toMatchObject({ isPanelOn: false, lamp: 0 })
  await display.apply?.({ backlightLevel: 40, brightness: 55 })
  expect(panel.state).toMatchObject({ isPanelOn: true, lamp: 40, brightness: 55, isPowered: true })
  await display.switchOff?.()
  await display.setBacklight?.(70)
  expect(panel.state).toMatchObject({ isPanelOn: false, lamp: 70, isPowered: true })
  expect(await read()).toMatchObject({ backlight_level: 0 })
  await display.switchOn?.()
  expect(await read()).toMatchObject({ backlight_level: 70 })
  await display.setBacklight?.(0)
  await display.switchOff?.()
  await display.switchOn?.()
  expect(await read()).toMatchObject({ backlight_level: 0 })
})

test('a command is sent once, and what the panel refuses or cannot do is said before anything is half done', async () => {
  const { panel, display } = await openPanel()
  await expect(display.apply?.({ backlightLevel: 10, gammaValue: 2.2, redColorBalance: 50 })).rejects.toThrow(
    'This panel cannot set its gamma, red colour balance.',
  )
  expect(panel.frames).toEqual([])
  panel.state.refused = [0x58]
  await expect(display.setBacklight?.(30)).rejects.toThrow('The panel refused to set its backlight (error 1).')
  expect(panel.frames.filter((frame) => frame.startsWith('aa58'))).toEqual(['aa5801011e78'])
})

test('options are refused by name: two ways to one panel, none, and an id that every display obeys', () => {
  const wrong = (given: object) => () => openDriver(samsungMdcDriver, { ...given }, { topic: 'display' })
  expect(wrong({})).toThrow('host is required, unless path names a serial port')
  expect(wrong({ host: '10.0.0.7', path: '/dev/ttyS0' })).toThrow('path cannot be named beside host')
  expect(wrong({ path: 'ttyS0' })).toThrow('path must be a path that begins with /')
  expect(wrong({ host: '10.0.0.7', displayId: 254 })).toThrow('displayId must be a whole number from 0 to 253')
  expect(wrong({ host: '10.0.0.7', wakeMac: 'x' })).toThrow('wakeMac must be a MAC address, such as 00:1a:2b:3c:4d:5e')
})

if (socatIsMissing) console.warn(socatIsMissing)
test.skipIf(socatIsMissing)('by a serial port a panel says the same, and without its plug nothing', async () => {
  const panel = await startMdcPanel()
  onTestFinished(() => panel.pull())
  const line = await startSerialLine(panel.port)
  onTestFinished(() => line.unplug())
  const opened = openDriver(samsungMdcDriver, { path: line.path }, { topic: 'display' })
  expect((await opened.read(soon()))?.values).toMatchObject({ backlight_level: 80, internal_temp: 41 })
  await opened.commands?.display?.setBacklight?.(0x0a)
  // The control characters of a terminal are plain values here.
  await opened.commands?.display?.setBacklight?.(0x03)
  expect(panel.state.lamp).toBe(3)
  await line.unplug()
  await expect(opened.read(soon())).rejects.toThrow(`There is no serial port ${line.path}.`)
})

test('a panel whose network sleeps is woken by its address before it is told to give light', async () => {
  const heard: Buffer[] = []
  const sleeper = createSocket('udp4').on('message', (bytes) => heard.push(bytes))
  onTestFinished(() => void sleeper.close())
  await new Promise<void>((resolve) => sleeper.bind(0, '127.0.0.1', resolve))
  await wakeByNetwork('00:1a:2B:3c:4d:5e', '127.0.0.1', sleeper.address().port)
  if (heard.length === 0) await once(sleeper, 'message')
  expect(heard[0]?.toString('hex')).toBe('f'.repeat(12) + '001a2b3c4d5e'.repeat(16))
  const { panel, opened } = await openPanel({ wakeMac: '00:1a:2b:3c:4d:5e' })
  await panel.pull()
  // Nothing is known about it, but it accepts commands.
  expect(await opened.read(soon())).toEqual({ values: {} })
})
