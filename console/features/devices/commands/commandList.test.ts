import { expect, test } from 'vitest'
import { type DeviceCommand, deviceCommand } from '#contract/http/devices/commands.ts'
import { answerOf, COMMAND_FILTERS, type CommandFilter, isShown, stepsText, withNewer } from './commandList.ts'

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

test('each step is told by how long after it was asked for it came, and what never was sent says so', () => {
  expect(stepsText(command(1, { state: 'done', sentAt: at(1), endedAt: at(3) }))).toBe('sent 0 s, answered 2 s')
  expect(stepsText(command(1, { state: 'unknown', sentAt: at(2), endedAt: at(31) }))).toBe('sent 1 s, given up 30 s')
  expect(stepsText(command(1, { state: 'expired', endedAt: at(3) }))).toBe('expired 2 s')
  expect(stepsText(command(1))).toBe('')
})

test('commands are narrowed to settings, to power, and to what was not done', () => {
  const all = [
    command(1, { name: 'display.apply', state: 'refused' }),
    command(2, { state: 'done' }),
    command(3, { state: 'unknown' }),
    command(4, { name: 'turnOff.apply', state: 'sent' }),
  ]
  const shown = (filter: CommandFilter) => all.filter((one) => isShown(filter, one)).map(({ id }) => Number(id.at(-1)))
  expect(COMMAND_FILTERS.map(shown)).toEqual([
    [1, 2, 3, 4],
    [1, 4],
    [2, 3],
    [1, 3],
  ])
})

test('what the device says twice is read once', () => {
  expect(answerOf(command(1, { text: 'Battery is empty', errors: ['Battery is empty', 'Try again'] }))).toEqual([
    'Battery is empty',
    'Try again',
  ])
})
