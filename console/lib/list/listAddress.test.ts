import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Given } from '#console/router/addressText.ts'
import { placeAfter, placeAt, placeBefore } from '#console/router/pages.ts'
import { readAddress } from '#console/router/useAddress.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { filterOf, isFiltered, questionOf, withFilter, withSort } from './listAddress.ts'

const read = (given: Given) => readAddress('/devices', given)
const asked = (values: object) => questionOf(values, { order: 'name' })

test('an address of text and an address of numbers mean the same', () => {
  expect(read({ customerId: '3', modelId: '16', page: '2', descending: 'true' })).toEqual(
    read({ customerId: 3, modelId: 16, page: 2, descending: true }),
  )
})

test('every part of the filter that an address names is asked of the server', () => {
  const filter = {
    customerId: 3,
    deviceName: 'Praha',
    modelId: 16,
    attrSerial: 'SN-7',
    statusId: 2,
    filter: 'activeConnected',
  }
  expect(asked(read(filter))).toMatchObject(filter)
})

test('a name made of digits stays text', () => {
  expect(read({ deviceName: 12 })).toEqual({ deviceName: '12' })
})

test('parameters that make no sense are left out and the others still count', () => {
  expect(
    read({
      customerId: -1,
      modelId: 'x',
      statusId: 2.5,
      filter: 'everything',
      sort: 'password',
      page: 0,
      deviceName: 'Praha',
      attrSerial: { $ne: '' },
    }),
  ).toEqual({ deviceName: 'Praha' })
})

test('whatever stands in an address, the query keeps to what the server accepts', () => {
  const anything = fc.dictionary(
    fc.constantFrom('customerId', 'deviceName', 'modelId', 'attrSerial', 'statusId', 'filter', 'sort', 'page', 'next'),
    fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
  )
  fc.assert(
    fc.property(anything, (parameters) => {
      const query = asked(read(parameters))
      expect(listDevices.query.safeParse(query).error?.message).toBeUndefined()
    }),
  )
})

test('an address that was written is read back unchanged', () => {
  const filter = withFilter({}, { deviceName: 'Praha', filter: 'pending' })
  const written = { ...withSort(filter, 'alerts', true), ...placeAt(4, undefined) }
  expect(read(written)).toEqual(written)
})

test('a changed filter starts at the first page and keeps the order', () => {
  expect(withFilter({ page: 7, sort: 'alerts', descending: true, modelId: undefined }, { statusId: 3 })).toEqual({
    sort: 'alerts',
    descending: true,
    statusId: 3,
  })
})

test('a changed order starts at the first page and keeps the filter', () => {
  expect(withSort({ page: 7, statusId: 3 }, 'name', false)).toEqual({ statusId: 3, sort: 'name' })
})

test('an emptied field leaves the filter', () => {
  const address = withFilter({ deviceName: 'Praha', statusId: 2 }, { deviceName: '', statusId: undefined })
  expect(address).toEqual({})
  expect(isFiltered(address)).toBe(false)
})

test('order and page are no filter', () => {
  expect(filterOf({ page: 3, sort: 'name', descending: true })).toEqual({})
})

test('the third page begins at row 201', () => {
  expect(asked({ page: 3 })).toEqual({ sort: 'name', descending: false, pageSize: 100, rowNum: 201 })
})

test('beyond row 10,000 a page is reached by its key', () => {
  expect(asked(placeAt(101, 'k'))).toEqual({
    sort: 'name',
    descending: false,
    pageSize: 100,
    next: 'k',
  })
})

test('a page beyond row 10,000 without its key is the first page', () => {
  expect(read({ page: 101 })).toEqual({})
})

test('the page after the last numbered one is reached by the key of the answer', () => {
  expect(placeAfter({ page: 99 }, 'k')).toEqual({ page: 100 })
  expect(placeAfter({ page: 100 }, 'k')).toEqual({ page: 101, next: 'k' })
})

test('there is no page before the first, and the way back from a keyed page is a numbered one', () => {
  expect(placeBefore({})).toBeUndefined()
  expect(placeBefore({ page: 2 })).toEqual({})
  expect(placeBefore({ page: 103, next: 'k' })).toEqual({ page: 100 })
})

test('only an address without any parameter of the list asks for what was remembered', () => {
  expect(read({ utm: 'mail' })).toEqual({})
  expect(read({ page: 2 })).toEqual({ page: 2 })
})
