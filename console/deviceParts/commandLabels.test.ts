import { expect, test } from 'vitest'
import { commandLabels } from './commandLabels.ts'

test('a power action says what is done to which part', () => {
  expect(commandLabels('relay.set', { number: 2, port: 1, on: false }).title).toBe('Turn port 1 of relay 2 off')
  expect(commandLabels('ups.groupReset', { group: 2 }).title).toBe('Reset UPS group 2')
})

test('settings say every value with its unit', () => {
  const args = {
    number: 1,
    backlightAutomaticStatus: true,
    minBacklight: 20,
    maxBacklight: 90,
    minAmbientLight: 0,
    maxAmbientLight: 10_000,
  }
  expect(commandLabels('ambientSensor.apply', args).details).toEqual([
    'automatic backlight on',
    'backlight 20–90 %',
    'ambient light 0 lux to 10,000 lux',
  ])
})

test('a group without times is never off', () => {
  const args = { wdTimeOffFrom: '22:00', wdTimeOffTo: '05:30', wkndTimeOffFrom: null, wkndTimeOffTo: null }
  const { details } = commandLabels('turnOff.apply', { ...args, holTimeOffFrom: null, holTimeOffTo: null })
  expect(details).toEqual(['workdays off 22:00–05:30', 'weekends never off', 'holidays never off'])
})

test('a touch screen that stays as it is is not mentioned', () => {
  const args = { displayNumber: 2, brightness: 50, backlightLevel: 80, gammaValue: 2.2 }
  const balance = { redColorBalance: 50, greenColorBalance: 50, blueColorBalance: 50 }
  const words = (more: object) => commandLabels('display.apply', { ...args, ...balance, ...more }).details.join()
  expect(words({})).not.toContain('touch')
  expect(words({ touchScreenStatus: 'OFF' })).toContain('touch screen off')
})

test('a command of a newer server is shown as it came', () => {
  expect(commandLabels('camera.turn', { degrees: 90 })).toEqual({ title: 'camera.turn', details: ['degrees 90'] })
})

test('arguments that this console cannot read are shown as they came', () => {
  expect(commandLabels('relay.set', { number: 9 })).toEqual({ title: 'relay.set', details: ['number 9'] })
})
