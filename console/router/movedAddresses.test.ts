import { expect, test } from 'vitest'
import { movedAddress } from './movedAddresses.ts'

test.each([
  ['/who-is-told', '/notifications/routes'],
  ['/channels', '/notifications/channels'],
  ['/client-software', '/device-software/releases'],
  ['/client-updates/7?wave=1', '/device-software/rollouts/7?wave=1'],
  ['/client-updates-of-others', undefined],
  ['/devices', undefined],
])('%s leads to %s', (before, now) => {
  expect(movedAddress(before)).toBe(now)
})
