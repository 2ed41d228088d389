import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listDevicePins } from '#contract/http/devices/pins.ts'
import { filterParameter, isFiltered, readLocationsFilter, unreadFilter } from './locationsAddress.ts'

test('the filter is read from the JSON of the address, numbers as numbers or as text', () => {
  const wanted = { customerId: 3, deviceName: 'Praha', modelId: 16, attrSerial: 'SN', statusId: 2 }
  expect(readLocationsFilter({ filter: wanted })).toEqual(wanted)
  expect(readLocationsFilter({ filter: { ...wanted, customerId: '3', modelId: '16', statusId: '2' } })).toEqual(wanted)
})

test.each([
  ['text that is no JSON', '{"customerId":'],
  ['a word of another list', 'pending'],
  ['a list', [3]],
  ['nothing', null],
  ['a number', 7],
  ['objects in the places of values', { customerId: { $ne: 1 }, deviceName: ['a'], statusId: {} }],
  ['numbers that are no ids', { customerId: -1, modelId: 1.5, statusId: 1e99 }],
  ['other names', { password: 'x', constructor: 'y', toString: 1 }],
  ['a prototype', JSON.parse('{"__proto__": {"statusId": 2}}')],
])('%s is no filter', (_what, filter) => {
  expect(readLocationsFilter({ filter })).toEqual({})
})

test.each([
  [{ filter: '{"customerId":' }, ['filter “{"customerId":”']],
  [{ filter: [3] }, ['filter “[3]”']],
  [{ filter: { statusId: 'x', deviceName: 'Praha', password: 'y' } }, ['statusId “x”']],
  [{ filter: { deviceName: 'Praha' } }, []],
  [{}, []],
])('what of the filter cannot be read is named: %j', (given, named) => {
  expect(unreadFilter(given)).toEqual(named)
})

test('what makes no sense is left out and the rest still counts', () => {
  expect(readLocationsFilter({ filter: { statusId: 'x', deviceName: 'Praha', attrSerial: '\u0000' } })).toEqual({
    deviceName: 'Praha',
  })
})

test('whatever stands in an address, the call keeps to what the server accepts', () => {
  fc.assert(
    fc.property(fc.object({ key: fc.constantFrom('customerId', 'deviceName', 'modelId', 'statusId') }), (filter) => {
      const read = readLocationsFilter({ filter })
      expect(listDevicePins.query.safeParse(read).error?.message).toBeUndefined()
    }),
  )
})

test('an empty filter takes its parameter away, any other is read back as it was written', () => {
  expect(filterParameter({})).toBeUndefined()
  const written = filterParameter({ deviceName: 'a', statusId: 3 })
  expect(readLocationsFilter({ filter: JSON.parse(JSON.stringify(written)) })).toEqual(written)
  expect(isFiltered({ statusId: 3 })).toBe(true)
})
