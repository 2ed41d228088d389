import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { clientUpdateOf } from '#console/testing/clientUpdateOf.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { deleteDevice, renewDeviceKey, setDeviceStatus } from '#contract/http/devices/details.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import { type DeviceClient, getDeviceClient, leaveOutOfUpdate } from '#contract/http/software/rollouts.ts'
import { DeviceScreen } from './DeviceScreen.tsx'

const { server, open } = screenTest({
  screens: {
    '/devices': () => <p>all devices</p>,
    '/devices/$guid': { screen: DeviceScreen, tabs: { status: () => <p>the status</p> } },
  },
  at: `/devices/${DEVICE_GUID}/status`,
})
let kept: Device

beforeEach(() => {
  kept = deviceOf()
  server.answer(getDevice, () => kept)
  server.answer(setDeviceStatus, ({ values }) => {
    kept = { ...kept, statusId: Number(values.statusId) }
    return kept
  })
})

const statusButton = (status: string) => screen.findByRole('button', { name: `Status: ${status}. Change it` })
const yes = () => screen.findByRole('button', { name: 'Yes' })

async function choose(present: string, next: string, answer: 'Yes' | 'No') {
  await userEvent.click(await statusButton(present))
  await userEvent.click(await screen.findByRole('menuitem', { name: next }))
  await userEvent.click(await screen.findByRole('button', { name: answer }))
}

test.each([1, 2, 3, 4, 5, 6])('from status %i the four that can be set are offered, and no other', async (statusId) => {
  kept = deviceOf({ statusId })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /^Status: / }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Paired',
    'Maintenance',
    'Deactivated',
    'Out of order',
  ])
})

test('Pending and Updating are shown where a device has them', async () => {
  kept = deviceOf({ statusId: 6 })
  await open()
  await statusButton('Updating')
})

test('a status is set after a Yes only, by POST', async () => {
  await open()
  await choose('Paired', 'Maintenance', 'No')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(setDeviceStatus)).toEqual([])
  await choose('Paired', 'Maintenance', 'Yes')
  await statusButton('Maintenance')
  expect(server.requestsTo(setDeviceStatus)).toMatchObject([{ method: 'POST', values: { id: 1, statusId: 3 } }])
})

test('a status that the server declines goes back to what it was, and says why', async () => {
  server.answer(setDeviceStatus, new Refusal('internal_error'))
  await open()
  await choose('Paired', 'Out of order', 'Yes')
  await screen.findByText('Something went wrong on the server.')
  await statusButton('Paired')
})

test('the present status is no change, and asks nothing', async () => {
  await open()
  await userEvent.click(await statusButton('Paired'))
  const present = await screen.findByRole('menuitem', { name: 'Paired' })
  expect(present).toHaveAttribute('aria-current', 'true')
  await userEvent.click(present)
  expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull()
  expect(server.requestsTo(setDeviceStatus)).toEqual([])
})

async function inMenu(entry: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this device' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

test('the menu leads to the entries of this device in the audit log', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this device' }))
  const link = await screen.findByRole('menuitem', { name: 'Audit log of this device' })
  expect(link.getAttribute('href')).toBe('/audit-log?entityTypeId=1&entityId=1')
})

test('a key is renewed after a Yes, and its file is downloaded', async () => {
  server.answer(renewDeviceKey, {
    guid: kept.guid,
    releaseKeys: [],
    key: 'k',
    mqttUrl: 'mqtt://x',
    httpUrl: 'http://x',
    name: kept.name,
    modelId: kept.modelId,
  })
  await open()
  await inMenu('Renew key')
  await screen.findByText(/stops working at once/)
  expect(server.requestsTo(renewDeviceKey)).toEqual([])
  await userEvent.click(await yes())
  await waitFor(() => expect(server.requestsTo(renewDeviceKey)).toMatchObject([{ values: { id: 1 } }]))
})

test('a device is deleted only when its name was typed; then the list is shown and nothing offers it again', async () => {
  server.answer(deleteDevice, true)
  const { address } = await open()
  await inMenu('Delete device')
  const dialog = within(await screen.findByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: 'Delete device' })
  const typed = dialog.getByRole('textbox')
  await userEvent.type(typed, 'Praha 000{Enter}')
  expect(confirm).toBeDisabled()
  expect(server.requestsTo(deleteDevice)).toEqual([])
  await userEvent.type(typed, '1{Enter}')
  await screen.findByText('all devices')
  await screen.findByText('"Praha 0001" is deleted.')
  expect(address()).toBe('/devices')
  expect(server.requestsTo(deleteDevice)).toMatchObject([{ method: 'POST', values: { id: 1 } }])
  expect(localStorage.getItem('wayside.viewHistory.1')).toBe('[]')
})

test('a device that cannot be deleted stays, with what was typed', async () => {
  server.answer(deleteDevice, new Refusal('internal_error'))
  const { address } = await open()
  await inMenu('Delete device')
  await userEvent.type(await screen.findByRole('textbox'), 'Praha 0001{Enter}')
  await screen.findByText('Something went wrong on the server.')
  expect(screen.getByRole('textbox')).toHaveValue('Praha 0001')
  expect(address()).toContain('/status')
})

test('the Components tab is there for admins only', async () => {
  const admin = await open()
  await screen.findByRole('link', { name: 'Components' })
  admin.unmount()
  signInAs({ roleFunctions: [2] })
  await open()
  await screen.findByRole('link', { name: 'Status' })
  expect(screen.queryByRole('link', { name: 'Components' })).toBeNull()
})

const clientOf = (update: Partial<NonNullable<DeviceClient['update']>> | null): DeviceClient => ({
  version: '1.2.2',
  newestVersion: '1.2.3',
  update: update && {
    version: '1.2.3',
    state: 'downloading',
    reason: '',
    receivedBytes: 500_000,
    bytes: 1_000_000,
    changedAt: '2026-11-20T10:00:00.000Z',
    waitsIn: null,
    ...update,
  },
})

test.each([
  [{ state: 'offered' }, 'Update to 1.2.3 is assigned'],
  [{ state: 'downloading' }, 'Downloads 1.2.3: 500 kB of 1 MB'],
  [{ state: 'verifying' }, 'Checks 1.2.3'],
  [{ state: 'restarting' }, 'Starts 1.2.3'],
  [{ state: 'failed', reason: 'The disk is full.' }, 'Update to 1.2.3 failed: The disk is full.'],
] as const)('the client of a device and its update are shown: %o', async (update, text) => {
  server.answer(getDeviceClient, clientOf(update))
  await open()
  await screen.findByText('Client 1.2.2')
  await screen.findByText(text)
})

test('a device that waits in a halted update says so, leads there and can be left out of it', async () => {
  server.answer(getDeviceClient, clientOf({ state: 'waiting', waitsIn: { updateId: 7, state: 'halted' } }))
  server.answer(leaveOutOfUpdate, clientUpdateOf())
  await open()
  expect(await screen.findByRole('link', { name: 'Update to 1.2.3 is halted' })).toHaveAttribute(
    'href',
    expect.stringContaining('/device-software/rollouts/7'),
  )
  await inMenu('Leave out of the update')
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('The device is left out of the update.')
  expect(server.requestsTo(leaveOutOfUpdate).map(({ values }) => values)).toEqual([{ id: 7, deviceId: 1 }])
})

test('an update that waits for its wave is planned', async () => {
  server.answer(getDeviceClient, clientOf({ state: 'waiting' }))
  await open()
  await screen.findByText('Update to 1.2.3 is planned')
})

test('title and tabs stand before the first answer, by the name of an earlier visit', async () => {
  localStorage.setItem('wayside.viewHistory.1', JSON.stringify([{ guid: DEVICE_GUID, name: 'Praha then' }]))
  server.answer(getDevice, () => new Promise<never>(() => undefined))
  await open()
  await screen.findByRole('heading', { name: 'Praha then' })
  await screen.findByRole('link', { name: 'Maintenance' })
})

test('the tab of alerts counts what is active', async () => {
  kept = deviceOf({ activeAlerts: 3 })
  await open()
  await screen.findByRole('link', { name: 'Alerts 3' })
})

test('an update that is over is seen at once, when the status of the device changes', async () => {
  kept = deviceOf({ statusId: 6 })
  let client = clientOf({ state: 'restarting' })
  server.answer(getDeviceClient, () => client)
  await open()
  await screen.findByText('Starts 1.2.3')
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1] }))
  client = { ...clientOf({ state: 'done' }), version: '1.2.3' }
  kept = deviceOf()
  server.emit('device', {
    id: 1,
    connStatusId: 1,
    statusId: 2,
    lastEvent: null,
    activeAlerts: 0,
    light: null,
    lightSince: null,
    lightIsAtLeast: false,
    lightCause: null,
    worstAlert: null,
    clockErrorMs: null,
    refusedSince: null,
    isOnBattery: null,
    identityConflictSince: null,
    wrong: null,
    clientVersion: null,
    tags: [],
  })
  await statusButton('Paired')
  await screen.findByText('Client 1.2.3')
  expect(screen.queryByText('Starts 1.2.3')).toBeNull()
})

test('a device that never said what it runs shows no version', async () => {
  server.answer(getDeviceClient, { version: null, newestVersion: '1.2.3', update: null })
  await open()
  await waitFor(() => expect(server.requestsTo(getDeviceClient)).not.toEqual([]))
  await statusButton('Paired')
  expect(screen.queryByText(/^Client/)).toBeNull()
})

test('that two machines report as the device is said with what ends it, and comes and goes live', async () => {
  await open()
  await statusButton('Paired')
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1] }))
  const emit = (identityConflictSince: string | null) => {
    kept = { ...kept, identityConflictSince }
    server.emit('device', { ...kept, connStatusId: 1, lastEvent: null })
  }
  expect(screen.queryByText('Two machines report as this device.')).toBeNull()
  emit('2026-11-20T10:00:00.000Z')
  const told = await screen.findByText('Two machines report as this device.')
  // A device page reports every problem with the reports in this box.
  expect(told.closest('[role=status]')).toHaveClass('notice-box')
  await screen.findByText(/download the configuration again and put it on the right machine/)
  emit(null)
  await waitFor(() => expect(screen.queryByText('Two machines report as this device.')).toBeNull())
})
