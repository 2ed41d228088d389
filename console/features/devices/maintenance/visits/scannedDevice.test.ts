import { expect, test } from 'vitest'
import { scannedDevice } from './scannedDevice.ts'

const GUID = '0b1ff1e0-1111-4222-8333-444455556666'

test.each([
  `https://wayside.example/visits/${GUID}`,
  `HTTPS://WAYSIDE.EXAMPLE/VISITS/${GUID.toUpperCase()}`,
  `http://10.0.0.1:8080/devices/${GUID}/status?at=now`,
])('%s names a device', (text) => {
  expect(scannedDevice(text)).toBe(GUID)
})

test.each(['', 'ABCD-2345', `https://evil.example/?to=${GUID}`, `https://a.example/visits/${GUID}0`])(
  '%s names none',
  (text) => {
    expect(scannedDevice(text)).toBeUndefined()
  },
)
