import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import {
  listDeviceCommands,
  powerSwitch1Reset,
  powerSwitch2Reset,
  restartComputer,
  upsReboot,
} from '#contract/http/devices/commands.ts'
import { getFeedChain } from '#contract/http/insight/feedChain.ts'
import { componentOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()
const press = async (name: string) => {
  // The button needs the wiring.
  await waitFor(() => expect(screen.getByRole('button', { name })).toBeEnabled())
  await setup.user.click(screen.getByRole('button', { name }))
}
const choose = async (name: string) => {
  await press('Restart')
  await setup.user.click(await screen.findByRole('menuitem', { name }))
}
const openDevice = () => setup.open('setup')

test('the PC is restarted by what feeds it, and the question names that and what goes down with it', async () => {
  setup.server.answer(powerSwitch1Reset, 'Restarted, says the device')
  await openDevice()
  await choose('Restart the PC')
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Power switch 1 feeds the PC and "Display": down for a moment; the device stays')
  expect(dialog).toHaveTextContent('Restart the PC of "Praha 0001" by a reset of power switch 1?')
  await press('Yes')
  await screen.findByText('Restarted, says the device')
  expect(setup.server.requestsTo(powerSwitch1Reset)).toHaveLength(1)
})

test('the computer that the client runs on is restarted by the client, and nothing loses power', async () => {
  setup.server.answer(restartComputer, 'The computer restarts.')
  await openDevice()
  await choose('Restart the Beaglebone')
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('The Beaglebone restarts and nothing loses power')
  expect(dialog).toHaveTextContent('Restart the Beaglebone of "Praha 0001" by its own client?')
  await press('Yes')
  await screen.findByText('The computer restarts.')
  expect(setup.server.requestsTo(powerSwitch2Reset)).toEqual([])
})

const TOO_OLD = 'The client of this device is too old for this command.'

test('where the client cannot, that is said and its power is assigned, by what feeds it as it is wired', async () => {
  setup.server.answer(restartComputer, new Refusal('device_refused', TOO_OLD))
  setup.server.answer(powerSwitch1Reset, 'Restarted')
  setup.feeds({ computer: 'powerSwitch/1' })
  await openDevice()
  await choose('Restart the Beaglebone')
  await press('Yes')
  const dialog = await screen.findByText(/by a reset of power switch 1\?/)
  expect(dialog.closest('[role="dialog"]')).toHaveTextContent(`${TOO_OLD} It can be restarted by its power instead.`)
  expect(setup.server.requestsTo(powerSwitch1Reset)).toEqual([])
  await press('Yes')
  await waitFor(() => expect(setup.server.requestsTo(powerSwitch1Reset)).toHaveLength(1))
  expect(setup.server.requestsTo(powerSwitch2Reset)).toEqual([])
})

test('a device with one computer asks at once, and one whose computer hangs on the mains has its client alone', async () => {
  setup.device = deviceOf({ modelId: 22 })
  setup.components([componentOf(5, 1), componentOf(17, 1)])
  const first = await setup.open('generic-setup')
  await choose('Restart the computer')
  expect(await screen.findByRole('dialog')).toHaveTextContent('Restart the computer of "Praha 0001" by its own client?')
  await press('No')
  first.unmount()
  setup.feeds({ computer: 'mains' }, [componentOf(5, 1), componentOf(17, 1)])
  await setup.open('generic-setup')
  setup.server.answer(restartComputer, new Refusal('device_refused', TOO_OLD))
  await choose('Restart the computer')
  await press('Yes')
  await screen.findByText(TOO_OLD)
  expect(setup.server.requestsTo(upsReboot)).toEqual([])
})

test('an offline device says so instead of asking, and unread wiring is guessed by nobody', async () => {
  setup.device = deviceOf({ connStatusId: 0 })
  const first = await openDevice()
  await choose('Restart the PC')
  await screen.findByText(/power actions are never queued/, { selector: '.dialog-text' })
  await press('Ok')
  first.unmount()
  setup.device = deviceOf()
  setup.server.answer(getFeedChain, new Refusal('internal_error'))
  setup.server.answer(listDeviceCommands, { rows: [], next: null })
  await openDevice()
  await choose('Restart the PC')
  await screen.findByText(/power wiring of this device could not be loaded/)
})
