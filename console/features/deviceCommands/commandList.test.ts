import { expect, test } from 'vitest'
import { type DeviceCommand, deviceCommand } from '#contract/http/deviceCommands.ts'
import { answerOf, stepsOf, withNewer } from './commandList.ts'

const at = (second: number) => `2026-11-20T10:00:${String(second).padStart(2, '0')}.000Z`
function command(number: number, changes: Partial<DeviceCommand> = {}): DeviceCommand {
  return deviceCommand.parse({
    id: `00000000-0000-4000-8000-00000000000${number}`,
    deviceId: 1,
    name: 'ups.reboot',
    args: {},
    username: 'eva',
    state: 'accepted',
    acceptedAt: at(number),
    sentAt: null,
    endedAt: null,
    expiresAt: at(59),
    text: '',
    errors: [],
    ...changes,
  })
}

test('what comes live stands above what is known, each command once', () => {
  const list = withNewer([command(2), command(1)], [command(3), command(2, { state: 'sent' })])
  expect(list.map(({ id, state }) => `${id.at(-1)} ${state}`)).toEqual(['3 accepted', '2 sent', '1 accepted'])
})

test('an older state that arrives late changes nothing', () => {
  const [shown] = withNewer([command(1, { state: 'done' })], [command(1, { state: 'sent' })])
  expect(shown?.state).toBe('done')
})

test('a late answer corrects what was given up', () => {
  const [shown] = withNewer([command(1, { state: 'unknown' })], [command(1, { state: 'refused' })])
  expect(shown?.state).toBe('refused')
})

test('each step has its moment, and what never was sent says so', () => {
  expect(stepsOf(command(1, { state: 'done', sentAt: at(2), endedAt: at(3) })).map(({ word }) => word)).toEqual([
    'Accepted',
    'Sent',
    'Answered',
  ])
  expect(stepsOf(command(1, { state: 'expired', endedAt: at(3) })).map(({ word }) => word)).toEqual([
    'Accepted',
    'Expired',
  ])
})

test('what the device says twice is read once', () => {
  expect(answerOf(command(1, { text: 'Battery is empty', errors: ['Battery is empty', 'Try again'] }))).toEqual([
    'Battery is empty',
    'Try again',
  ])
})
