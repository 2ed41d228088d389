import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { refresh } from '#console/lib/call/useCall.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { setDeviceDetails } from '#contract/http/devices/details.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import { type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import { listCustomers, listDeviceModels } from '#contract/http/operation/lookups.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { DetailsTab } from './DetailsTab.tsx'

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { details: DetailsTab } } },
  at: `/devices/${DEVICE_GUID}/details`,
})
let kept: Device
const entries: AuditEntry[] = []

beforeEach(() => {
  kept = deviceOf({ address: 'Quay 4', latitude: 50, longitude: 14 })
  entries.length = 0
  server.answer(getDevice, () => kept)
  server.answer(listAudit, () => ({ rows: entries, total: null, next: null }))
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDeviceModels, [...DEVICE_MODELS])
  server.answer(setDeviceDetails, ({ values: { basedOn, ...values } }) => {
    kept = { ...kept, ...values } as Device
    return kept
  })
})

const field = (name: string) => screen.findByRole('textbox', { name: new RegExp(`^${name}`) })
const sent = () => server.requestsTo(setDeviceDetails).map(({ values }) => values)
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
const told = async () => within(await screen.findByRole('alert'))
const rowsOf = (note: Pick<typeof screen, 'getAllByRole'>) =>
  note.getAllByRole('row').map(({ textContent }) => textContent)

async function retype(name: string, text: string) {
  const input = await field(name)
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

function changedBy(username: string, after: Partial<Device>) {
  const words = { actionId: 2, actionName: 'Update', entityTypeId: 1, entityTypeName: 'Device', entityId: 1 }
  const nothing = {
    details: '',
    address: '',
    bulkId: null,
    fold: null,
    deviceGuid: null,
    names: [],
    before: {},
    userId: null,
  }
  const inserted = new Date(Date.now() - 3000 + entries.length).toISOString()
  const done = { outcome: 'done', settingOutcome: null, call: setDeviceDetails.path, entityName: kept.name }
  entries.unshift({ ...words, ...nothing, ...done, id: entries.length + 1, inserted, username, after })
  kept = { ...kept, ...after }
}
const reread = () => act(() => refresh(getDevice))

test('what somebody changes while one types is told before Save with name and both values, and Save knows it', async () => {
  await open()
  await retype('Name', 'Praha 2')
  changedBy('Eva Novak', { name: 'Praha Pier' })
  await reread()
  const note = await told()
  await note.findByText(/^Eva Novak changed this device while you were changing it.*sets yours over theirs/)
  expect(rowsOf(note)).toEqual(['BeforeTheirsYours', 'NamePraha 0001Praha PierPraha 2'])
  expect(await field('Name')).toHaveValue('Praha 2')
  expect(await axeFindings(screen.getByRole('alert'))).toEqual([])
  await save()
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, name: 'Praha 2', basedOn: { name: 'Praha Pier' } }])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what somebody else changes elsewhere in the form stands there at once, is told, and is not undone by Save', async () => {
  await open()
  await retype('Name', 'Praha 2')
  changedBy('Eva Novak', { tags: ['Messe'] })
  changedBy('Carl', { address: 'Pier 8' })
  await reread()
  const note = await told()
  await note.findByText(/^(Carl and Eva Novak|Eva Novak and Carl) changed this device.*It stays as they set it/)
  expect(rowsOf(note)).toEqual(['BeforeTheirsYours', 'AddressQuay 4Pier 8–', 'TagsnoneMesse–'])
  expect(await field('Address')).toHaveValue('Pier 8')
  expect(await field('Name')).toHaveValue('Praha 2')
  await save()
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, name: 'Praha 2', basedOn: { name: 'Praha 0001' } }])
  expect(kept).toMatchObject({ address: 'Pier 8', tags: ['Messe'] })
})

test('of a position that both move, both coordinates are kept as they are typed here', async () => {
  await open()
  await retype('Latitude', '52')
  changedBy('Eva Novak', { latitude: 51, longitude: 15 })
  await reread()
  expect(rowsOf(await told())).toEqual(['BeforeTheirsYours', 'Latitude505152', 'Longitude141514'])
  await save()
  await screen.findByText('The device is saved.')
  expect(sent()).toEqual([{ id: 1, latitude: 52, longitude: 14, basedOn: { latitude: 51, longitude: 15 } }])
})

test('who was faster by a second is told after the refusal, and nothing of the edit is lost', async () => {
  await open()
  await retype('Name', 'Praha 2')
  server.answer(setDeviceDetails, () => {
    changedBy('Eva Novak', { name: 'Praha Pier' })
    return new Refusal('settings_changed', 'Eva Novak has changed this meanwhile.')
  })
  await save()
  await screen.findByText('Eva Novak has changed this meanwhile.')
  expect(rowsOf(within(await screen.findByRole('table')))).toEqual([
    'BeforeTheirsYours',
    'NamePraha 0001Praha PierPraha 2',
  ])
  expect(await field('Name')).toHaveValue('Praha 2')
})

test('without a name in the log it says somebody; discarded, the form is as they set it and says nothing', async () => {
  await open()
  await retype('Name', 'Praha 2')
  kept = { ...kept, name: 'Praha Pier' }
  await reread()
  ;(await told()).getByText(/^Somebody changed this device/)
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(await field('Name')).toHaveValue('Praha Pier')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
