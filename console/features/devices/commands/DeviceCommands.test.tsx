import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { type DeviceCommand, deviceCommand, listDeviceCommands } from '#contract/http/devices/commands.ts'
import { DeviceCommands } from './DeviceCommands.tsx'

const { server, open: draw } = screenTest({
  screens: {
    '/': () => (
      <OpenDevice.Provider value={deviceOf()}>
        <DeviceCommands />
      </OpenDevice.Provider>
    ),
  },
  at: '/',
})

const at = (second: number) => `2026-11-20T10:00:${String(second).padStart(2, '0')}.000Z`
const command = (number: number, changes: Readonly<Record<string, unknown>> = {}): DeviceCommand =>
  deviceCommand.parse({
    id: `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`,
    deviceId: 1,
    name: 'relay.set',
    args: { number, port: 1, on: false },
    username: 'eva@example.com',
    state: 'accepted',
    acceptedAt: at(number),
    sentAt: null,
    endedAt: null,
    expiresAt: at(59),
    text: '',
    errors: [],
    ...changes,
  })
const page = (...rows: DeviceCommand[]) => ({ rows, next: null })

async function open() {
  const view = await draw()
  act(() => runWhenAvailable('device.commands'))
  return view
}
const entry = async (title: string) => within((await screen.findByText(title)).closest('li') as HTMLElement)
const watching = () => waitFor(() => expect(server.watched()).toMatchObject({ stateDeviceIds: [1] }))

test('each command says what was asked, by whom, how far it came and what the device said', async () => {
  const refused = { state: 'refused', sentAt: at(2), endedAt: at(3), text: 'No relay here', errors: ['Wiring fault'] }
  server.answer(listDeviceCommands, page(command(2, refused), command(1, { state: 'expired', endedAt: at(9) })))
  await open()
  const second = await entry('Turn port 1 of relay 2 off')
  second.getByText('Refused')
  second.getByText('eva@example.com')
  second.getByText('No relay here')
  second.getByText('Wiring fault')
  second.getByText(/^· sent \d+ s, answered \d+ s$/)
  const first = await entry('Turn port 1 of relay 1 off')
  first.getByText('Expired', { selector: '.badge' })
  expect(first.queryByText(/sent \d+ s/)).toBeNull()
})

test('a command moves through its states live, and a new one appears above', async () => {
  server.answer(listDeviceCommands, page(command(1)))
  await open()
  ;(await entry('Turn port 1 of relay 1 off')).getByText('Waiting')
  await watching()
  const sent = command(1, { state: 'sent', sentAt: at(2) })
  server.emit('commands', { deviceId: 1, commands: [command(2), sent], settingsVersion: 1 })
  await (await entry('Turn port 1 of relay 1 off')).findByText('Sent', { selector: '.badge' })
  const titles = screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)
  expect(titles.filter(Boolean)).toEqual(['Turn port 1 of relay 2 off', 'Turn port 1 of relay 1 off'])
  const done = command(1, { state: 'done', sentAt: at(2), endedAt: at(3), text: 'Switched' })
  server.emit('commands', { deviceId: 1, commands: [done], settingsVersion: 1 })
  await (await entry('Turn port 1 of relay 1 off')).findByText('Switched')
})

test('events of another device change nothing', async () => {
  server.answer(listDeviceCommands, page(command(1)))
  await open()
  await watching()
  server.emit('commands', { deviceId: 2, commands: [command(2, { deviceId: 2 })], settingsVersion: 1 })
  server.emit('commands', { deviceId: 1, commands: [command(3)], settingsVersion: 1 })
  await screen.findByText('Turn port 1 of relay 3 off')
  expect(screen.queryByText('Turn port 1 of relay 2 off')).toBeNull()
})

test('older commands come page by page', async () => {
  server.answer(listDeviceCommands, ({ values }) =>
    values.next === 'older' ? page(command(1)) : { rows: [command(2)], next: 'older' },
  )
  await open()
  await screen.findByText('Turn port 1 of relay 2 off')
  expect(screen.queryByText('Turn port 1 of relay 1 off')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show older' }))
  await screen.findByText('Turn port 1 of relay 1 off')
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('no command yet, and a list that cannot be loaded, say so', async () => {
  server.answer(listDeviceCommands, page())
  const empty = await open()
  await screen.findByText('No command was sent to this device yet')
  empty.unmount()
  server.answer(listDeviceCommands, new Refusal('internal_error'))
  await open()
  await screen.findByText('Could not be loaded')
})

test('the list is accessible', async () => {
  server.answer(listDeviceCommands, page(command(2, { state: 'unknown', sentAt: at(2), endedAt: at(9) }), command(1)))
  await open()
  await screen.findByText('Turn port 1 of relay 1 off')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})
