import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  acceptAsDevices,
  acceptDevices,
  claimDevice,
  findClaim,
  giveRecord,
  listWaitingDevices,
  type WaitingDevice,
} from '#contract/http/devices/claims.ts'
import { listCustomers, listDeviceModels } from '#contract/http/operation/lookups.ts'
import { getInstallPackages } from '#contract/http/software/installPackages.ts'
import { ClaimScreen } from './ClaimScreen.tsx'
import { WaitingScreen } from './WaitingScreen.tsx'

const { server, open } = screenTest({
  screens: { '/claim': ClaimScreen, '/waiting-devices': WaitingScreen },
  at: '/claim',
})

const facts = {
  ...{ model: 'NUC 13', hostName: 'totem', clientVersion: '2.4.1', serialNumbers: ['SN-1'] },
  macAddresses: ['02:00:00:00:00:01'],
}
const seen = { facts, address: '192.0.2.7', askedAt: '2026-11-28T10:00:00.000Z', seenAt: '2026-11-28T10:00:00.000Z' }
const waiting = (id: number, serial: string): WaitingDevice => ({
  ...{ id, ...seen, facts: { ...facts, serialNumbers: [serial] } },
  ...{ keyName: 'Image 7', customerId: null, customerName: '', knownAs: null },
})

const RELEASE_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
beforeEach(() => {
  server.answer(getInstallPackages, { files: [], releaseKey: RELEASE_KEY, refusal: null, serverUrl: '' })
  server.answer(listCustomers, [{ id: 3, name: 'Nordlys' }])
  server.answer(listDeviceModels, [{ id: 22, name: 'Totem SP-4096' }])
})

const choose = async (field: string, option: string, within_ = screen) => {
  await userEvent.click(await within_.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('the code in the address is shown and tried only by the button, and a wrong one is said at its field', async () => {
  server.answer(findClaim, () => new Refusal('claim_not_valid'))
  const { container } = await open('/claim?code=ABCD2345')
  const code = await screen.findByRole('textbox', { name: /Code/ })
  expect(code).toHaveValue('ABCD2345')
  expect(server.requestsTo(findClaim)).toEqual([])
  await screen.findByText(RELEASE_KEY)
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Find device' }))
  await screen.findByText(/This code is not valid/)
  await userEvent.clear(code)
  await userEvent.type(code, 'nonsense 1')
  await userEvent.click(screen.getByRole('button', { name: 'Find device' }))
  await screen.findByText(/A code has eight letters and digits/)
  expect(server.requestsTo(findClaim)).toHaveLength(1)
})

test('what the device says is shown, and staff are warned of hardware that is here already', async () => {
  const knownAs = { id: 7, guid: '7b9deb5b-c4f4-4524-9af6-7451cacd59bd', name: 'Pier 4', customerName: 'Metro' }
  server.answer(findClaim, { ...seen, knownAs } as never)
  server.answer(claimDevice, deviceOf({ name: 'Quay 9', customerName: 'Nordlys' }))
  await open('/claim?code=ABCD2345')
  await userEvent.click(await screen.findByRole('button', { name: 'Find device' }))
  await screen.findByText('02:00:00:00:00:01')
  await screen.findByText(/The same hardware is here already, as “Pier 4” of Metro/)
  server.answer(giveRecord, knownAs as never)
  await choose('Customer', 'Nordlys')
  await choose('Model', 'Totem SP-4096')
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'Quay 9')
  await userEvent.type(screen.getByRole('textbox', { name: 'Position' }), '59.9, 10.7')
  await userEvent.click(screen.getByRole('button', { name: 'Claim device' }))
  await screen.findByText(/connects within seconds/)
  expect(server.requestsTo(claimDevice).map(({ values }) => values)).toMatchObject([
    { code: 'ABCD2345', customerId: 3, modelId: 22, name: 'Quay 9', latitude: 59.9, longitude: 10.7 },
  ])
  // Another box was installed anew: it goes on with its record.
  await userEvent.click(screen.getByRole('button', { name: 'Claim another' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /Code/ }), 'ABCD2346')
  await userEvent.click(screen.getByRole('button', { name: 'Find device' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Give it the record of Pier 4' }))
  await screen.findByText(/Give this box the record of “Pier 4” of Metro\?/)
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
  await screen.findByText('Pier 4', { selector: 'b' })
  expect(server.requestsTo(giveRecord).map(({ values }) => values)).toMatchObject([{ code: 'ABCD2346', deviceId: 7 }])
})

test('who may not add devices is told so', async () => {
  signInAs({ roleFunctions: [8], isAdmin: false, isDeviceManager: false })
  await open()
  await screen.findByText('Your role may not add devices')
})

test('devices that wait are accepted together, with names that count', async () => {
  let list = [waiting(1, 'SN-1'), waiting(2, 'SN-2')]
  server.answer(listWaitingDevices, () => list)
  server.answer(acceptDevices, () => {
    list = []
    return { names: ['Totem 08', 'Totem 09'] }
  })
  const { container } = await open('/waiting-devices')
  await screen.findByRole('row', { name: /SN-2/ })
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Accept 2 devices' }))
  await choose('Customer', 'Nordlys', dialog as never)
  await choose('Model', 'Totem SP-4096', dialog as never)
  const first = dialog.getByRole('textbox', { name: /First number/ })
  await userEvent.clear(first)
  await userEvent.type(first, '8')
  await dialog.findByText(/Totem 08 … Totem 09/)
  await userEvent.click(dialog.getByRole('button', { name: 'Accept' }))
  await screen.findByText('No devices are waiting')
  await waitFor(() =>
    expect(server.requestsTo(acceptDevices).map(({ values }) => values)).toMatchObject([
      { ids: [1, 2], customerId: 3, modelId: 22, namePattern: 'Totem {nn}', firstNumber: 8 },
    ]),
  )
})

test('boxes that are here already say as what, and go on in their records instead of being added again', async () => {
  const known = { id: 7, guid: '7b9deb5b-c4f4-4524-9af6-7451cacd59bd', name: 'Totem 7', customerName: 'Metro' } as never
  let list: WaitingDevice[] = [waiting(1, 'SN-1'), { ...waiting(2, 'SN-2'), knownAs: known }]
  server.answer(listWaitingDevices, () => list)
  server.answer(acceptAsDevices, () => {
    list = list.slice(0, 1)
    return { names: ['Totem 7'] }
  })
  const { container } = await open('/waiting-devices')
  const link = await screen.findByRole('link', { name: 'Totem 7' })
  expect(link).toHaveAttribute('href', expect.stringContaining('/devices/7b9deb5b'))
  expect(await axeFindings(container)).toEqual([])
  const goOn = screen.getByRole('button', { name: 'Accept as known' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(goOn).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Accept as new' }))
  await screen.findByText(/SN-2 looks like “Totem 7” of Metro/)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select SN-1' }))
  await userEvent.click(goOn)
  await screen.findByText(/Give this box the record of “Totem 7” of Metro\?/)
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
  await screen.findByText('Accepted as Totem 7.')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Totem 7' })).toBeNull())
  expect(server.requestsTo(acceptAsDevices).map(({ values }) => values)).toMatchObject([
    { records: [{ id: 2, deviceId: 7 }] },
  ])
})
