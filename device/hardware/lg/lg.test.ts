import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { startLgDisplay } from '#testing/totem/simulatedLgDisplay.ts'
import { lgDriver } from './lgDriver.ts'
import { lgAnswerIn, lgInput, lgLine } from './lgFrames.ts'

test('lines and answers are those of the manuals, also behind the echo of older models', () => {
  expect(lgLine('ka', 1, [1]).toString()).toBe('ka 01 01\r')
  expect(lgLine('sv', 10, [2, 0xff]).toString()).toBe('sv 0a 02 ff\r')
  const answer = Buffer.from('ka 01 01\r\na 01 OK01x\r\n')
  expect(lgAnswerIn(answer, 'ka', 1)).toEqual({ isTaken: true, data: [1] })
  expect(lgAnswerIn(Buffer.from('g 01 NG00x'), 'mg', 1)).toEqual({ isTaken: false, data: [0] })
  // Other clients ask like this whether it is on, and a display refuses like this.
  expect(lgLine('ka', 1, [0xff]).toString()).toBe('ka 01 ff\r')
  expect(lgAnswerIn(Buffer.from('a 01 NGffx'), 'ka', 1)).toEqual({ isTaken: false, data: [0xff] })
  expect([0x90, 0xa1, 0x95, 0xa8, 0xc1].map(lgInput)).toEqual(['HDMI 1', 'HDMI 2', 'OPS', 'OPS', 'DisplayPort (USB-C)'])
  expect(lgAnswerIn(answer, 'mg', 1)).toBeUndefined()
  expect(lgAnswerIn(answer, 'ka', 2)).toBeUndefined()
  const whole = answer.indexOf('x') + 1
  fc.assert(
    fc.property(fc.nat({ max: answer.length }), (cut) => {
      expect(lgAnswerIn(answer.subarray(0, cut), 'ka', 1) !== undefined).toBe(cut >= whole)
    }),
  )
})

async function openDisplay(options: object = {}) {
  const lg = await startLgDisplay()
  onTestFinished(() => lg.pull())
  const opened = openDriver(lgDriver, { host: '127.0.0.1', port: lg.port, ...options }, { topic: 'display' })
  return { lg, display: opened.commands?.display ?? {}, read: async () => (await opened.read(soon()))?.values }
}

test('a display says its light, its temperature, its input and for how long it was on', async () => {
  const { lg, read } = await openDisplay()
  expect(await read()).toEqual({
    ...{ backlight_level: 80, brightness: 50, contrast: 75, internal_temp: 43, uptime: 261 * 3600 },
    ...{ source: 'HDMI 1', out_of_order_status: 'HDMI 1', lamp_fault: 0, diagnosis: 'none' },
  })
  Object.assign(lg.state, { isLampFaulty: true, isFanFaulty: true })
  expect(await read()).toMatchObject({ backlight_level: undefined, lamp_fault: 1, diagnosis: 'fan' })
  // Newer models know neither question.
  Object.assign(lg.state, { hasSignal: false, refused: ['dl', 'dn', 'dp', 'dw'] })
  expect(await read()).toMatchObject({ backlight_level: 80, lamp_fault: undefined, diagnosis: undefined })
  expect(await read()).toMatchObject({ out_of_order_status: 'ARGB', source_search_status: 'No signal' })
  expect(await read()).not.toHaveProperty('internal_temp', expect.any(Number))
  lg.state.isPowered = false
  expect(await read()).toEqual({ backlight_level: 0 })
})

test.each(['panel', 'power'] as const)(
  'it is made dark by its %s, and lit again at the level that it keeps',
  async (darkBy) => {
    const { lg, display, read } = await openDisplay({ darkBy })
    await display.switchOff?.()
    expect(lg.state).toMatchObject({ isPowered: darkBy === 'panel', isMuted: darkBy === 'panel' })
    expect(await read()).toMatchObject({ backlight_level: 0 })
    await display.switchOn?.()
    expect(await read()).toMatchObject({ backlight_level: 80 })
    await display.setBacklight?.(0)
    expect(await read()).toMatchObject({ backlight_level: 0 })
    await display.setBacklight?.(35)
    expect(await read()).toMatchObject({ backlight_level: 35 })
  },
)

test('a refusal is said, and the line was sent once', async () => {
  const { lg, display } = await openDisplay()
  lg.state.refused = ['kh']
  await expect(display.apply?.({ brightness: 20 })).rejects.toThrow('The display refused to set its brightness.')
  expect(lg.lines).toEqual(['kh 01 14'])
})
