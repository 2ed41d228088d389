import { expect, test } from 'vitest'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { detailsChanges, detailsErrors, detailsValuesOf } from './detailsValues.ts'

const valuesOf = (changes: Readonly<Record<string, unknown>> = {}) => ({ ...detailsValuesOf(deviceOf()), ...changes })

test('a record as it comes from the server is valid and holds no change', () => {
  const values = detailsValuesOf(deviceOf({ latitude: 50.08, longitude: 14.42, internalIp: '10.0.0.1' }))
  expect(detailsErrors(values)).toEqual({})
  expect(detailsChanges(values, values)).toEqual({})
})

test('a name of spaces is no name', () => {
  expect(detailsErrors(valuesOf({ name: '  ' }))).toEqual({ name: 'Name is required' })
})

test('IP addresses follow the rule, each with its own sentence', () => {
  expect(detailsErrors(valuesOf({ internalIp: '10.0.0.256', externalIp: '1.2.3' }))).toEqual({
    internalIp: 'This field Internal IP is not a valid IP address.',
    externalIp: 'This field External IP is not a valid IP address.',
  })
  // A pasted blank is not part of the value.
  expect(detailsErrors(valuesOf({ internalIp: ' 10.0.0.1 ', externalIp: '1.2.3.4\n' }))).toEqual({})
})

test('a position has both coordinates or none', () => {
  expect(detailsErrors(valuesOf({ latitude: 50 }))).toEqual({ longitude: 'Longitude is required' })
  expect(detailsErrors(valuesOf({ longitude: 14 }))).toEqual({ latitude: 'Latitude is required' })
})

test('coordinates beyond the globe are not valid', () => {
  expect(detailsErrors(valuesOf({ latitude: 90.1, longitude: -180.1 }))).toEqual({
    latitude: 'Latitude is not valid',
    longitude: 'Longitude is not valid',
  })
  expect(detailsErrors(valuesOf({ latitude: -90, longitude: 180 }))).toEqual({})
})

test('only what was changed is sent', () => {
  const before = valuesOf()
  expect(detailsChanges(before, { ...before, name: ' Brno ', description: 'By the door' })).toEqual({
    name: 'Brno',
    description: 'By the door',
  })
})

test('both coordinates are sent when one was changed, and null takes the position away', () => {
  const before = valuesOf({ latitude: 50, longitude: 14 })
  expect(detailsChanges(before, { ...before, latitude: 51 })).toEqual({ latitude: 51, longitude: 14 })
  expect(detailsChanges(before, { ...before, latitude: '', longitude: '' })).toEqual({
    latitude: null,
    longitude: null,
  })
})
