import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { checkMessage } from './messageCheck.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const door = { deviceId: 1 as DeviceId, topic: 'messages', nowMs: NOW, oldestMs: 0 }
const detailOf = (payload: object) => {
  const checked = checkMessage(door, Buffer.from(JSON.stringify(payload)))
  return 'rejection' in checked ? `${checked.rejection.reason}: ${checked.rejection.detail}` : 'kept'
}

test.each([
  [{ msg: 'Door open' }, 'bad_time: "at" is missing. Send a text like 2026-11-20T10:00:00.000Z.'],
  [
    { at: 1795739396, msg: 'Door open' },
    'bad_time: "at" is the number 1795739396. Send a text like 2026-11-20T10:00:00.000Z.',
  ],
  [{ at: '2026-11-20T15:45:00+05:45', msg: 'Door open' }, 'kept'],
])('of the message %j a device is told: %s', (payload, told) => {
  expect(detailOf(payload)).toBe(told)
})
