import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { BACKLIGHT, backlight, secondsAgo, touch } from '#console/testing/tiles.ts'
import { downloadConfiguration, getDevice } from '#contract/http/devices/devices.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { FieldId } from '#domain/ids.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { DetailsTab } from '../details/DetailsTab.tsx'
import { StatusTab } from '../status/StatusTab.tsx'
import { DeviceScreen } from './DeviceScreen.tsx'

const BRIGHTNESS = 4114 as FieldId
const LONG_AGO = secondsAgo(300)

const { server, open } = screenTest({
  screens: {
    '/devices': () => <p>all devices</p>,
    '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab, details: DetailsTab } },
  },
})

beforeEach(() => {
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight(), touch()])
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
})

const openStatus = () => open(`/devices/${GUID}/status`)
const row = async (name: string) =>
  (await screen.findByRole('rowheader', { name })).closest('tr')?.querySelector('td') as HTMLElement
const tile = async (name: string) => (await screen.findByText(name)).closest('li') as HTMLElement
// A stream that the previous test has lost comes back after a pause.
const watching = () => waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1], stateDeviceIds: [1] }))
const report = (value: number, at: string) =>
  server.emit('state', { deviceId: 1, values: [{ field_id: BACKLIGHT, field_value: value, value_dt: at }] })

test('the header says which device this is, how it is and when it was last heard', async () => {
  await openStatus()
  const header = within((await screen.findByRole('heading', { name: 'Praha 0001' })).closest('header') as HTMLElement)
  header.getByText('Dlouhá 1')
  await header.findByText('Paired')
  header.getByText('Synced')
  header.getByText('Totem ALT-1920')
  header.getByText(/^\d+ s ago$/)
  expect(document.title).toContain('Praha 0001')
})

test('a live event changes the header', async () => {
  await openStatus()
  await screen.findAllByText('Synced')
  await watching()
  server.emit('device', {
    id: 1,
    connStatusId: 0,
    statusId: 3,
    lastEvent: secondsAgo(1),
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
  await screen.findByRole('button', { name: /Status: Maintenance/ })
  const problem = within(await screen.findByRole('region', { name: 'Problem' }))
  problem.getByText('Offline')
  problem.getByText(/^Last report (just now|\d+ s ago) .*The values below are from the last report\.$/)
})

test('a tile shows its value by the rules of the catalogue, with its unit and the range of its day', async () => {
  server.answer(getDeviceDashboard, [backlight({ field_value: 80.126 })])
  await openStatus()
  const shown = within(await tile('Backlight level'))
  shown.getByText('80.13')
  shown.getByText('%')
  shown.getByText('0 – 80')
  expect(shown.queryByText(/ago$/)).toBeNull()
})

test('a report moves its tile without a reload, and marks that it changed', async () => {
  await openStatus()
  expect((await tile('Backlight level')).querySelector('.tile-change')).toBeNull()
  await watching()
  report(55, secondsAgo(0))
  const shown = await tile('Backlight level')
  await within(shown).findByText('55')
  expect(shown.querySelector('.tile-change')).not.toBeNull()
  expect((await row('Touch screen')).querySelector('.tile-change')).toBeNull()
})

test('a report that was late on the way changes nothing', async () => {
  await openStatus()
  const shown = await tile('Backlight level')
  await watching()
  report(55, secondsAgo(60))
  report(66, secondsAgo(0))
  await within(shown).findByText('66')
  expect(shown.textContent).not.toContain('55')
})

test('a field without a reading is a dimmed dash', async () => {
  await openStatus()
  const shown = await row('Touch screen')
  within(shown).getByText('–')
  expect(shown.dataset.unknown).toBe('true')
})

test('a tile in alert is marked, and its component stands first and open', async () => {
  const device = backlight({ field_id: 3104 as FieldId, field_name: 'CPU load', group_name: 'Device' })
  server.answer(getDeviceDashboard, [device, backlight({ alert_id: 7 }), touch()])
  await openStatus()
  expect((await tile('Backlight level')).dataset.alert).toBe('true')
  expect((await row('Touch screen')).dataset.alert).toBeUndefined()
  const heads = screen.getAllByRole('button', { name: /^(Device|Display)$/ })
  expect(heads.map((head) => [head.textContent, head.getAttribute('aria-expanded')])).toEqual([
    ['Display', 'true'],
    ['Device', 'false'],
  ])
  expect(screen.queryByText('CPU load')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Device' }))
  await tile('CPU load')
})

test('the age stands with the component, and with a value only where it is older than the others', async () => {
  const [fresh, old] = [backlight(), backlight({ field_id: BRIGHTNESS, field_name: 'Brightness', value_dt: LONG_AGO })]
  server.answer(getDeviceDashboard, [fresh, old])
  await openStatus()
  within(await row('Brightness')).getByLabelText('Old value')
  expect(within(await tile('Backlight level')).queryByText(/ago$/)).toBeNull()
  const head = screen.getByRole('heading', { name: 'Display' }).closest('header') as HTMLElement
  within(head).getByText(/^\d+ s ago$/)
  expect(screen.queryByLabelText('Old values')).toBeNull()
})

test('a component that has said nothing for a while is marked once', async () => {
  server.answer(getDeviceDashboard, [backlight({ value_dt: LONG_AGO })])
  await openStatus()
  within(await tile('Backlight level'))
  screen.getByLabelText('Old values')
  expect(screen.queryByLabelText('Old value')).toBeNull()
})

test('a device that never reported says so, with the toast of an empty status', async () => {
  server.answer(getDevice, deviceOf({ connStatusId: 0, lastEvent: null, statusId: 1 }))
  server.answer(getDeviceDashboard, [touch()])
  await openStatus()
  await screen.findByText('This device has never reported.')
  await screen.findByText('No status')
})

test('Reload asks again', async () => {
  await openStatus()
  await tile('Backlight level')
  server.answer(getDeviceDashboard, [backlight({ field_value: 12, value_dt: secondsAgo(0) })])
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  await screen.findByText('12')
})

test('a device that does not exist, or belongs to others, is not found', async () => {
  server.answer(getDevice, new Refusal('not_found'))
  await openStatus()
  await screen.findByRole('heading', { name: 'Device not found' })
  expect(server.requestsTo(getDeviceDashboard)).toEqual([])
})

test('an address that names no device is not found, and nothing is asked', async () => {
  await open('/devices/nonsense/status')
  await screen.findByRole('heading', { name: 'Device not found' })
  expect(server.requests).toEqual([])
})

test('a configuration is downloaded only after a Yes, by POST', async () => {
  server.answer(downloadConfiguration, {
    guid: deviceOf().guid,
    releaseKeys: [],
    key: 'k',
    mqttUrl: 'mqtt://x',
    httpUrl: 'http://x',
    name: 'Praha 0001',
    modelId: deviceOf().modelId,
  })
  await openStatus()
  const ask = async (answer: 'Yes' | 'No') => {
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for this device' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Download configuration' }))
    await userEvent.click(await screen.findByRole('button', { name: answer }))
  }
  await ask('No')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(downloadConfiguration)).toEqual([])
  await ask('Yes')
  await waitFor(() => expect(server.requestsTo(downloadConfiguration)).toHaveLength(1))
  expect(server.requestsTo(downloadConfiguration)[0]).toMatchObject({ method: 'POST', values: { id: 1 } })
})

test('a device opened before is assigned as a way back, the present one is not', async () => {
  const history = [
    { guid: GUID, name: 'Old name' },
    { guid: GUID.replace(/1$/, '2'), name: 'Brno 0002' },
  ]
  localStorage.setItem('wayside.viewHistory.1', JSON.stringify(history))
  const { address } = await openStatus()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this device' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Recent devices' }))
  expect(screen.queryByRole('menuitem', { name: 'Old name' })).toBeNull()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Brno 0002' }))
  await waitFor(() => expect(address()).toBe(`/devices/${GUID.replace(/1$/, '2')}/status`))
})

test('a copied device ID is told', async () => {
  const user = userEvent.setup()
  await openStatus()
  await user.click(await screen.findByRole('button', { name: 'Copy device ID' }))
  await screen.findByText('Text copied to clipboard')
  expect(await navigator.clipboard.readText()).toBe(GUID)
})

test('status and details are accessible', async () => {
  server.answer(getDeviceDashboard, [backlight({ alert_id: 7, value_dt: secondsAgo(300) }), touch()])
  const status = await openStatus()
  await row('Touch screen')
  expect(await axeFindings(status.container)).toEqual([])
  status.unmount()
  const details = await open(`/devices/${GUID}/details`)
  await screen.findByDisplayValue('City Media')
  expect(await axeFindings(details.container)).toEqual([])
})

test('whoever only sees devices finds nothing to set, to command or to delete, and details to read', async () => {
  signInAs({ roleFunctions: [FUNCTION.seeDevices], isAdmin: false, isDeviceManager: false, isAnalyticsUser: false })
  await open(`/devices/${GUID}/details`)
  const name = (await screen.findByRole('textbox', { name: 'Name' })) as HTMLInputElement
  expect([name.readOnly, name.value]).toEqual([true, 'Praha 0001'])
  const tabs = within(screen.getByRole('navigation', { name: 'Device' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Details', 'Status', 'Alerts', 'Maintenance'])
  for (const actionId of [/^Save/, /^Maintenance/, /^Status:/, /Delete/, /key/]) {
    expect(screen.queryByRole('button', { name: actionId })).toBeNull()
  }
  expect(await axeFindings(document.body)).toEqual([])
})
