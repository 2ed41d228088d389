import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { type DeviceCommand, listDeviceCommands, POWER_CALLS, upsReboot } from '#contract/http/devices/commands.ts'
import { panel, secondsAgo, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()
beforeEach(() => {
  for (const call of POWER_CALLS) setup.server.answer(call, 'Done, says the device')
  commands()
})

const commands = (...rows: DeviceCommand[]) => setup.server.answer(listDeviceCommands, { rows, next: null })
const command = (name: string, args: DeviceCommand['args'], acceptedAt: string): DeviceCommand => ({
  ...{ id: '00000000-0000-4000-8000-000000000001', deviceId: 1 as DeviceCommand['deviceId'], name, args, acceptedAt },
  ...{ username: 'eva@example.com', state: 'done', sentAt: acceptedAt, endedAt: acceptedAt, expiresAt: secondsAgo(0) },
  ...{ text: '', errors: [] },
})
const reboot = async () => setup.user.click((await panel('UPS')).getByRole('button', { name: 'Reboot: UPS' }))
async function isSaid(text: RegExp) {
  expect(await screen.findByRole('dialog', { name: 'Reboot UPS' })).toHaveTextContent(text)
  expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull()
  await setup.user.click(screen.getByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(setup.server.requestsTo(upsReboot)).toEqual([])
}

test('a power action for an offline device is refused before it is asked for, with what to wait for', async () => {
  setup.device = deviceOf({ connStatusId: 0 })
  await setup.open('setup')
  await reboot()
  await isSaid(
    /^Reboot UPSThe device is offline, and power actions are never queued\. Wait until it is connected again\./,
  )
})

test('a deactivated device is told to take nothing before anything is asked', async () => {
  setup.device = deviceOf({ statusId: 4 })
  await setup.open('setup')
  await reboot()
  await isSaid(/The device is deactivated and takes no commands\. Give it another status first\./)
})

test('what comes too soon after another power action says after which, and how long to wait', async () => {
  commands(
    command('display.apply', { displayNumber: 1 }, secondsAgo(1)),
    command('router.reset', { number: 2 }, secondsAgo(4)),
  )
  await setup.open('setup')
  await reboot()
  await isSaid(
    /takes one power action every 10 seconds\. The last one was "Reset network switch 2" by eva@example\.com\. Try again in [5-7] seconds\./,
  )
})

test('settings and power actions of before make nobody wait, nor does a list that cannot be read', async () => {
  commands(command('display.apply', { displayNumber: 1 }, secondsAgo(1)), command('ups.reboot', {}, secondsAgo(11)))
  await setup.open('setup')
  await reboot()
  await setup.user.click(await screen.findByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  setup.server.answer(listDeviceCommands, new Refusal('internal_error'))
  await reboot()
  await setup.user.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('Done, says the device')
})
