import { expect, test } from 'vitest'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { changedValues, knownValues } from './changes.ts'

function typeOf(topic: string) {
  const type = eventTypeByTopic(topic)
  if (!type) throw new Error(topic)
  return type
}
const display = typeOf('display')
const computer = typeOf('device')

test('noise within the dead band is not a change, one step beyond is', () => {
  const reported = { internal_temp: 30, ambient_light: 10_000, backlight_level: 80 }
  expect(changedValues(display, { internal_temp: 30.2, ambient_light: 8400, backlight_level: 82 }, reported)).toEqual(
    {},
  )
  expect(changedValues(display, { internal_temp: 30.4, ambient_light: 7900, backlight_level: 77 }, reported)).toEqual({
    internal_temp: 30.4,
    ambient_light: 7900,
    backlight_level: 77,
  })
})

test('a processor works by bursts, and its temperature follows each: only more than that is a change', () => {
  const reported = { cpu_temp: 38.6, cpu_load: 25 }
  expect(changedValues(computer, { cpu_temp: 41.4, cpu_load: 32.5 }, reported)).toEqual({})
  expect(changedValues(computer, { cpu_temp: 41.8, cpu_load: 34 }, reported)).toEqual({ cpu_temp: 41.8, cpu_load: 34 })
})

test('power and traffic move all the time: what they draw is news when it falls or rises by much', () => {
  const controller = typeOf('ecu')
  expect(changedValues(controller, { active_power: 158 }, { active_power: 140 })).toEqual({})
  expect(changedValues(controller, { active_power: 390 }, { active_power: 440 })).toEqual({})
  expect(changedValues(controller, { active_power: 22 }, { active_power: 140 })).toEqual({ active_power: 22 })
  expect(changedValues(controller, { active_power: 190 }, { active_power: 140 })).toEqual({ active_power: 190 })
  const busy = { network_received: 9, network_sent: 90 }
  expect(changedValues(computer, busy, { network_received: 3, network_sent: 20 })).toEqual({})
  expect(changedValues(computer, { network_received: 900 }, { network_received: 6 })).toEqual({ network_received: 900 })
  expect(changedValues(computer, { network_received: 6 }, { network_received: 900 })).toEqual({ network_received: 6 })
})

test('clouds pass: the light outside is news when it becomes darker or brighter by much', () => {
  expect(changedValues(display, { ambient_light: 40 }, { ambient_light: 5 })).toEqual({})
  expect(changedValues(display, { ambient_light: 60 }, { ambient_light: 5 })).toEqual({ ambient_light: 60 })
})

test('the air behind a display follows its fans: a degree is news', () => {
  expect(changedValues(display, { exhaust_temp: 40.9 }, { exhaust_temp: 40 })).toEqual({})
  expect(changedValues(display, { exhaust_temp: -1.2 }, { exhaust_temp: -0.1 })).toEqual({ exhaust_temp: -1.2 })
})

test('states and texts change with every difference', () => {
  const reported = { source: 'HDMI-1', backlight_automatic_status: 1 }
  expect(changedValues(display, { source: 'ARGB', backlight_automatic_status: 0 }, reported)).toEqual({
    source: 'ARGB',
    backlight_automatic_status: 0,
  })
})

test('an uptime that grows is no news, one that starts anew is', () => {
  expect(changedValues(computer, { uptime: 5000 }, { uptime: 10 })).toEqual({})
  expect(changedValues(computer, { uptime: 3 }, { uptime: 5000 })).toEqual({ uptime: 3 })
})

test('a slow drift is reported as soon as it leaves the band around the last report', () => {
  let reported: Record<string, number | string> = { internal_temp: 20 }
  const sent: (number | string | undefined)[] = []
  for (let tenths = 200; tenths <= 230; tenths++) {
    const changed = changedValues(display, { internal_temp: tenths / 10 }, reported)
    reported = { ...reported, ...changed }
    if ('internal_temp' in changed) sent.push(changed.internal_temp)
  }
  expect(sent.length).toBeGreaterThan(5)
  expect(Math.abs(23 - Number(reported.internal_temp))).toBeLessThanOrEqual(0.31)
})

test('what a driver does not know, or answers as nonsense, is left out', () => {
  const reading = { cpu_load: Number.NaN, cpu_temp: undefined, memory_used: 41, made_up: 5 }
  expect(knownValues(computer, reading)).toEqual({ memory_used: 41 })
})

test('light or no light is a change, however little it is', () => {
  expect(changedValues(display, { backlight_level: 0 }, { backlight_level: 1 })).toEqual({ backlight_level: 0 })
  expect(changedValues(display, { backlight_level: 2 }, { backlight_level: 0 })).toEqual({ backlight_level: 2 })
  expect(changedValues(display, { backlight_level: 1 }, { backlight_level: 2 })).toEqual({})
})
