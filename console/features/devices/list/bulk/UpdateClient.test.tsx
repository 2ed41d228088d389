import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { clientUpdateOf } from '#console/testing/clientUpdateOf.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { listViews } from '#contract/http/devices/views.ts'
import { listCustomers, listDeviceModels, listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { checkClientUpdate, leaveOutOfUpdate, updateClientVersion } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DevicesScreen } from '../DevicesScreen.tsx'

const { server, open: draw } = screenTest({
  screens: { '/devices': DevicesScreen, '/device-software/rollouts/new': () => <p>a plan in waves</p> },
  at: '/devices',
})
let isTaken: boolean

beforeEach(() => {
  isTaken = false
  for (const lookup of [listCustomers, listDeviceModels, listDeviceStatuses]) server.answer(lookup, [])
  server.answer(listViews, { views: [], defaultId: null, isDefaultLost: false })
  server.answer(listDevices, () => {
    const rows = ['Praha', 'Brno', 'Plzen'].map((name, index) =>
      deviceOf({
        id: index + 1,
        guid: `00000000-0000-4000-8000-00000000000${index + 1}`,
        name,
        statusId: isTaken && index < 2 ? 6 : 2,
      }),
    )
    return { rows, total: 3, next: null }
  })
  server.answer(checkClientUpdate, { version: '1.2.3', refusals: [], waiting: [] })
  server.answer(updateClientVersion, () => {
    isTaken = true
    return []
  })
})

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const bar = async () => within(await screen.findByRole('region', { name: 'Selection' }))
const start = async () => userEvent.click((await bar()).getByRole('button', { name: 'Update client' }))
const choose = async (...names: string[]) => {
  for (const name of names) await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
}
async function openMode() {
  const view = await draw()
  await screen.findByText('Praha')
  await press('Update client')
  await bar()
  return view
}
const sent = () => server.requestsTo(updateClientVersion).map(({ values }) => Object.values(values))

test('who chooses devices to update sees what they run, what they would run, and how many cannot', async () => {
  await openMode()
  screen.getByRole('columnheader', { name: 'Client' })
  await choose('Praha', 'Brno')
  await (await bar()).findByText('To 1.2.3')
  server.answer(checkClientUpdate, { version: '1.2.3', refusals: ['Plzen: it runs 1.2.3 already.'], waiting: [] })
  await choose('Plzen')
  await (await bar()).findByText('To 1.2.3, 1 left out')
})

test('the mode offers boxes and a count; Cancel clears the choice', async () => {
  const { container } = await openMode()
  await choose('Brno', 'Plzen')
  expect((await bar()).getByRole('status')).toHaveTextContent('2 selected')
  expect(await axeFindings(container)).toEqual([])
  await press('Cancel')
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
  await press('Update client')
  expect((await bar()).getByRole('status')).toHaveTextContent('0 selected')
})

test('nothing selected is said, and nothing is sent', async () => {
  await openMode()
  await start()
  await screen.findByText('No devices selected')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(server.requestsTo(updateClientVersion)).toEqual([])
})

test('a question names how many and which version; after Yes devices show as Updating and the mode ends', async () => {
  await openMode()
  await choose('Praha', 'Brno')
  await start()
  const question = await screen.findByRole('dialog', { name: 'Update client' })
  expect(question).toHaveTextContent('Update the client of 2 devices to 1.2.3?')
  await userEvent.click(within(question).getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([])

  await start()
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('2 devices are being updated.')
  expect(sent()).toEqual([[1, 2]])
  expect(await screen.findAllByText('Updating')).toHaveLength(2)
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('each sentence of the answer is an error toast of its own, and the choice stays', async () => {
  server.answer(updateClientVersion, ['"Praha": already runs 1.2.3.', '"Brno": is deactivated.'])
  await openMode()
  await choose('Praha', 'Brno')
  await start()
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  const toasts = await screen.findAllByRole('alert')
  expect(toasts.map(({ textContent }) => textContent)).toEqual([
    '"Praha": already runs 1.2.3.',
    '"Brno": is deactivated.',
  ])
  expect((await bar()).getByRole('status')).toHaveTextContent('2 selected')
  expect(screen.queryByText(/being updated\.$/)).toBeNull()
})

test('where some are refused, how many are being updated is said beside it, and the mode ends', async () => {
  server.answer(updateClientVersion, ['"Brno": is deactivated.'])
  await openMode()
  await choose('Praha', 'Brno', 'Plzen')
  await start()
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('"Brno": is deactivated.')
  await screen.findByText('2 devices are being updated.')
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
})

test('a request that fails says what every failed change says, and nothing more', async () => {
  server.answer(updateClientVersion, new Refusal('internal_error'))
  await openMode()
  await choose('Praha')
  await start()
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('Something went wrong on the server.')
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  expect((await bar()).getByRole('status')).toHaveTextContent('1 selected')
})

test('the choice can be taken along into a plan in waves', async () => {
  const { address } = await openMode()
  await choose('Praha', 'Plzen')
  await userEvent.click(await screen.findByRole('link', { name: 'In waves…' }))
  await screen.findByText('a plan in waves')
  expect(decodeURIComponent(address())).toContain('devices=1,3')
})

test("a customer's admin updates, and plans no waves", async () => {
  signInAs({ customerId: 3 })
  await openMode()
  await choose('Praha')
  expect(screen.queryByRole('link', { name: 'In waves…' })).toBeNull()
  await start()
  const question = await screen.findByRole('dialog', { name: 'Update client' })
  expect(question).toHaveTextContent('Update the client of one device to 1.2.3?')
})

async function isSaid(text: string) {
  expect(await screen.findByRole('dialog', { name: 'Update client' })).toHaveTextContent(text)
  expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Ok' }))
  expect(sent()).toEqual([])
}

test('without a release nothing is asked, and what to wait for is said', async () => {
  server.answer(checkClientUpdate, { version: null, refusals: ['No release has been uploaded yet.'], waiting: [] })
  await openMode()
  await choose('Praha')
  await start()
  await isSaid('No release has been uploaded yet. Wait until one is there; the staff uploads it under Device software.')
})

test('where every device would be refused nothing is asked', async () => {
  server.answer(checkClientUpdate, {
    version: '1.2.3',
    refusals: ['"Praha": an update is already running.'],
    waiting: [],
  })
  await openMode()
  await choose('Praha')
  await start()
  await isSaid('"Praha": an update is already running.')
})

test('a device that waits in a halted update is said to, leads there, and is left out of it after a Yes', async () => {
  let isLeftOut = false
  server.answer(checkClientUpdate, () => ({
    version: '1.2.3',
    refusals: isLeftOut ? [] : ['"Praha": waits in the halted update 7.'],
    waiting: isLeftOut ? [] : [{ deviceId: 1 as DeviceId, deviceName: 'Praha', updateId: 7, state: 'halted' as const }],
  }))
  server.answer(leaveOutOfUpdate, () => {
    isLeftOut = true
    return clientUpdateOf()
  })
  await openMode()
  await choose('Praha')
  const link = await screen.findByRole('link', { name: '1 waits in update 7' })
  expect(link).toHaveAttribute('href', expect.stringContaining('/device-software/rollouts/7'))
  await start()
  const offer = await screen.findByRole('dialog', { name: 'Waiting in another update' })
  expect(offer).toHaveTextContent(
    '"Praha": waits in the halted update 7. Leave it out there, to update to 1.2.3 instead?',
  )
  await userEvent.click(within(offer).getByRole('button', { name: 'Yes' }))
  const question = await screen.findByRole('dialog', { name: 'Update client' })
  expect(question).toHaveTextContent('Update the client of one device to 1.2.3?')
  expect(server.requestsTo(leaveOutOfUpdate).map(({ values }) => values)).toEqual([{ id: 7, deviceId: 1 }])
  await userEvent.click(within(question).getByRole('button', { name: 'Yes' }))
  await screen.findByText('The device is being updated.')
})

test('the question counts only who will be updated, and names the others', async () => {
  server.answer(checkClientUpdate, { version: '1.2.3', refusals: ['"Brno": already runs 1.2.3.'], waiting: [] })
  await openMode()
  await choose('Praha', 'Brno', 'Plzen')
  await start()
  const question = await screen.findByRole('dialog', { name: 'Update client' })
  expect(question).toHaveTextContent('Update the client of 2 devices to 1.2.3?')
  expect(question).toHaveTextContent('Not updated: "Brno": already runs 1.2.3.')
})

test('what cannot be known beforehand is asked all the same, and the server says what is wrong', async () => {
  server.answer(checkClientUpdate, new Refusal('internal_error'))
  server.answer(updateClientVersion, ['No release has been uploaded yet.'])
  await openMode()
  await choose('Praha')
  await start()
  const question = await screen.findByRole('dialog', { name: 'Update client' })
  expect(question).toHaveTextContent('to the newest release?')
  await userEvent.click(within(question).getByRole('button', { name: 'Yes' }))
  await screen.findByText('No release has been uploaded yet.')
})

test('who is no admin has no such mode', async () => {
  signInAs({ isAdmin: false, roleFunctions: [2] })
  await draw()
  await screen.findByRole('button', { name: 'Select' })
  expect(screen.queryByRole('button', { name: 'Update client' })).toBeNull()
})
