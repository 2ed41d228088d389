import { expect, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { wakeOnLanDriver } from './wakeOnLanDriver.ts'

// The frame itself is checked by a test of Samsung's panels.
test('what is woken is switched on and never off, says nothing of itself, and is no other port', async () => {
  const mac = '00:1a:2b:3c:4d:5e'
  const relay = openDriver(wakeOnLanDriver, { mac }, { topic: 'relay' })
  expect(await relay.read(soon())).toEqual({ values: {} })
  expect(await relay.test(soon())).toContain(`Wakes ${mac} when it is switched on.`)
  await expect(relay.commands?.relay?.set?.(1, false)).rejects.toThrow('cannot switch it off')
  await expect(relay.commands?.relay?.set?.(2, true)).rejects.toThrow('Only port 1 wakes somebody.')
  await relay.commands?.relay?.set?.(1, true)
  const display = openDriver(wakeOnLanDriver, { mac }, { topic: 'display' }).commands?.display
  expect(Object.keys(display ?? {})).toEqual(['switchOn'])
  expect(() => openDriver(wakeOnLanDriver, { mac: 'x' }, { topic: 'relay' })).toThrow('mac must be a MAC address')
})
