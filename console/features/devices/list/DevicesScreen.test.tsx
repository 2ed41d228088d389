import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { listClientVersions, listDeviceTags } from '#contract/http/devices/details.ts'
import {
  countDeviceList,
  createDevice,
  type Device,
  device,
  exportDevices,
  listDevices,
} from '#contract/http/devices/devices.ts'
import { listViews } from '#contract/http/devices/views.ts'
import { listCustomers, listDeviceModels, listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { DEVICE_STATUSES } from '#domain/devices/status.ts'
import { DevicesScreen } from './DevicesScreen.tsx'

const { server, open } = screenTest({
  screens: { '/devices': DevicesScreen, '/devices/$guid/$tab': () => <p>page of a device</p> },
})

beforeEach(() => {
  server.answer(listViews, { views: [], defaultId: null, isDefaultLost: false })
  server.answer(countDeviceList, { all: 41, wrong: 8, maintenance: 2, notUpdated: { newest: '0.1.1', devices: 36 } })
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDeviceModels, [...DEVICE_MODELS])
  server.answer(listDeviceStatuses, [...DEVICE_STATUSES])
  server.answer(listDevices, { rows: [praha, brno], total: 2, next: null })
})

const guid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
function deviceNamed(number: number, name: string): Device {
  return device.parse({
    id: number,
    guid: guid(number),
    name,
    address: 'Dlouhá 1',
    statusId: 2,
    connStatusId: 1,
    lastEvent: new Date().toISOString(),
    activeAlerts: 0,
    modelId: 16,
    customerId: 3,
    attrSerial: 'SN-1',
    latitude: null,
    longitude: null,
    description: '',
    iotDeviceId: guid(number),
    internalIp: '',
    externalIp: '',
    timeZone: 'Europe/Prague',
    timeZoneIsAssumed: true,
    customerName: 'Harbour',
    light: null,
    lightSince: null,
    lightIsAtLeast: false,
    lightCause: null,
    worstAlert: null,
    clockErrorMs: null,
    refusedSince: null,
    identityConflictSince: null,
    isOnBattery: null,
    wrong: null,
    clientVersion: null,
    tags: [],
  })
}
const praha = deviceNamed(1, 'Praha 0001')
const brno = deviceNamed(2, 'Brno 0002')

const openMoreFilters = async () => userEvent.click(await screen.findByRole('button', { name: 'More filters' }))
const openColumns = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'More actions for this list' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Columns and density' }))
}
const lastQuery = () => server.requestsTo(listDevices).at(-1)?.values

test('filter, order and page of the address are asked of the server', async () => {
  await open('/devices?deviceName=12&modelId=16&filter=pending&sort=alerts&descending=true&page=3')
  await screen.findByText('Praha 0001')
  expect(lastQuery()).toEqual({
    deviceName: '12',
    modelId: '16',
    filter: 'pending',
    sort: 'alerts',
    descending: 'true',
    pageSize: '100',
    rowNum: '201',
  })
})

test('a typed filter stands in the address, goes to the first page and is there again on the next visit', async () => {
  const first = await open('/devices?page=3')
  await screen.findByText('Praha 0001')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'praha{Enter}')
  await waitFor(() => expect(lastQuery()).toMatchObject({ deviceName: 'praha', rowNum: '1' }))
  expect(first.address()).toBe('/devices?deviceName=praha')

  first.unmount()
  const second = await open('/devices')
  await waitFor(() => expect(second.address()).toBe('/devices?deviceName=praha'))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'praha')
})

test('the list is shown on the map by the same filter', async () => {
  await open('/devices?search=brno&filter=dark&connStatusId=1&sort=alerts&page=2')
  await screen.findByText('Praha 0001')
  const href = screen.getByRole('link', { name: 'Map' }).getAttribute('href') ?? ''
  expect(JSON.parse(new URL(href, location.href).searchParams.get('filter') ?? '')).toEqual({
    search: 'brno',
    filter: 'dark',
    connStatusId: 1,
  })
})

test('the list is narrowed to tags of those in use, which stand in the address, and shows them', async () => {
  server.answer(listDeviceTags, [{ tag: 'Rewire', devices: 4 }])
  server.answer(listDevices, { rows: [{ ...praha, tags: ['Messe', 'Rewire'] }, brno], total: 2, next: null })
  const { address } = await open('/devices?tags=Messe&columns=name.tags')
  await screen.findByText('Praha 0001')
  expect(lastQuery()).toMatchObject({ tags: 'Messe' })
  within(screen.getByRole('row', { name: /Praha 0001/ })).getByTitle('Rewire')
  expect(screen.getByRole('button', { name: 'Remove filter: Tag: Messe' })).toBeVisible()
  await openMoreFilters()
  await userEvent.click(screen.getByRole('combobox', { name: 'Tags' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Rewire' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ tags: 'Messe,Rewire' }))
  expect(address()).toContain(`tags=${encodeURIComponent('["Messe","Rewire"]')}`)
})

test('the list is narrowed by the version of the client, of those that run or by what is older', async () => {
  server.answer(listClientVersions, [
    { version: '2.10.0', devices: 4 },
    { version: '2.9.0', devices: 1 },
    { version: null, devices: 2 },
  ])
  const { address } = await open('/devices?clientVersion=before-3.0.0')
  await openMoreFilters()
  const field = screen.getByRole('combobox', { name: 'Client version' })
  expect(field).toHaveValue('Older than 3.0.0')
  await userEvent.click(field)
  await screen.findByRole('option', { name: '2.10.0' })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    '2.10.0',
    '2.9.0',
    'Unknown',
    'Older than 2.10.0',
    'Older than 3.0.0',
  ])
  await userEvent.click(screen.getByRole('option', { name: 'Older than 2.10.0' }))
  await waitFor(() => expect(address()).toBe('/devices?clientVersion=before-2.10.0'))
  await waitFor(() =>
    expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({ clientVersion: 'before-2.10.0' }),
  )
})

test('a remembered filter is never asked for without itself', async () => {
  localStorage.setItem('wayside.devices.filter.1', '{"statusId":3}')
  await open('/devices')
  await screen.findByText('Praha 0001')
  expect(server.requestsTo(listDevices).map(({ values }) => values.statusId)).toEqual(['3'])
})

test('a filter in the address wins over the remembered one', async () => {
  localStorage.setItem('wayside.devices.filter.1', '{"statusId":3}')
  const { address } = await open('/devices?modelId=16')
  await screen.findByText('Praha 0001')
  expect(lastQuery()).not.toHaveProperty('statusId')
  expect(address()).toBe('/devices?modelId=16')
})

test('Back leads out of a filter, even though it is remembered', async () => {
  const { address, back } = await open('/devices')
  await screen.findByText('Praha 0001')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'praha{Enter}')
  await waitFor(() => expect(address()).toBe('/devices?deviceName=praha'))
  back()
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''))
  expect(address()).toBe('/devices')
})

test('the menu entry of the list, followed while a filter is on, shows all devices', async () => {
  localStorage.setItem('wayside.devices.filter.1', '{"statusId":3}')
  const { address, follow } = await open('/devices')
  await waitFor(() => expect(address()).toBe('/devices?statusId=3'))
  await screen.findByText('Praha 0001')
  follow('/devices')
  await waitFor(() => expect(lastQuery()).not.toHaveProperty('statusId'))
  expect(address()).toBe('/devices')
})

test('Reset empties the filter, its address and its memory', async () => {
  const { address } = await open('/devices?deviceName=praha&filter=pending&sort=alerts')
  await screen.findByText('Praha 0001')
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(lastQuery()).toEqual({ sort: 'now', descending: 'false', pageSize: '100', rowNum: '1' }))
  expect(address()).toBe('/devices')
  expect(localStorage.getItem('wayside.devices.filter.1')).toBe('{}')
})

test('Reset also empties a field that was still being typed', async () => {
  await open('/devices')
  await screen.findByText('Praha 0001')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'pra')
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''))
  await screen.findByText('Praha 0001')
  expect(lastQuery()).not.toHaveProperty('deviceName')
})

test('the word of an overview tile is shown and can be taken away alone', async () => {
  const { address } = await open('/devices?filter=activeConnected&statusId=2')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Paired and synced' }))
  await waitFor(() => expect(address()).toBe('/devices?statusId=2'))
})

test('how long something has been wrong, and where, is asked of the server, said, and taken away alone', async () => {
  const { address } = await open('/devices?filter=dark&forMinutes=90&since=2026-11-20T00:00:00.000Z&place=Lyon')
  await openMoreFilters()
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('Lyon')
  const asked = { forMinutes: '90', since: '2026-11-20T00:00:00.000Z', place: 'Lyon' }
  await waitFor(() => expect(lastQuery()).toMatchObject(asked))
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: For 1 h 30 min or longer' }))
  await userEvent.click(screen.getByRole('button', { name: /Remove filter: Since 20.11.26 \d\d:00 or later/ }))
  await waitFor(() => expect(address()).toBe('/devices?filter=dark&place=Lyon'))
})

test('a header sorts on the server, and once more turns the order round', async () => {
  const { address } = await open('/devices?page=2')
  await userEvent.click(await screen.findByRole('button', { name: 'Name' }))
  await waitFor(() => expect(address()).toBe('/devices?sort=name'))
  await userEvent.click(await screen.findByRole('button', { name: 'Name' }))
  await waitFor(() => expect(address()).toBe('/devices?sort=name&descending=true'))
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
})

const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

test('somebody chooses columns, their order and the density, and finds them in the address and on the next visit', async () => {
  const first = await open('/devices?statusId=2')
  await screen.findByText('Praha 0001')
  await openColumns()
  const menu = await screen.findByRole('dialog', { name: 'Columns' })
  await userEvent.click(within(menu).getByRole('checkbox', { name: 'Model' }))
  await userEvent.click(within(menu).getByRole('checkbox', { name: 'Customer' }))
  await userEvent.click(within(menu).getByRole('button', { name: 'Move Customer up' }))
  await userEvent.click(within(menu).getByRole('radio', { name: 'Compact' }))
  const shown = ['Name', 'Address', 'Now', 'Status', 'Connected', 'Customer', 'Alerts', 'Details']
  expect(heads()).toEqual(shown)
  const layout = 'columns=name.address.now.status.connected.customer.alerts&density=compact'
  expect(first.address()).toBe(`/devices?statusId=2&${layout}`)
  first.unmount()
  localStorage.removeItem('wayside.devices.filter.1')

  // The link names no columns; Reset concerns the filter alone.
  const second = await open('/devices?filter=dark')
  await waitFor(() => expect(second.address()).toBe(`/devices?filter=dark&${layout}`))
  await screen.findByText('Praha 0001')
  expect(heads()).toEqual(shown)
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(second.address()).toBe(`/devices?${layout}`))
  await screen.findByText('Praha 0001')
  await openColumns()
  await userEvent.click(await screen.findByRole('button', { name: 'Reset to default' }))
  await waitFor(() => expect(second.address()).toBe('/devices'))
  expect(heads()).toEqual(['Model', 'Name', 'Address', 'Now', 'Status', 'Connected', 'Alerts', 'Details'])
})

test('a link shows the columns of whoever sent it, and changes nothing of the own', async () => {
  localStorage.setItem('wayside.devices.look.1', '{"columns":"name.serial"}')
  const sent = await open('/devices?columns=client.unknown.name.name')
  await screen.findByText('Praha 0001')
  expect(heads()).toEqual(['Client', 'Name', 'Details'])
  sent.unmount()
  const own = await open('/devices')
  await waitFor(() => expect(own.address()).toBe('/devices?columns=name.serial'))
  await screen.findByText('Praha 0001')
  expect(heads()).toEqual(['Name', 'Serial number', 'Details'])
})

test('the file has the columns that are shown, of all rows of the filter', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:')
  server.answer(exportDevices, [praha, { ...brno, customerName: '=1+1' }])
  await open('/devices?filter=dark&sort=status&columns=customer.name.connected.lastEvent')
  await screen.findByText('Praha 0001')
  await userEvent.click(screen.getByRole('button', { name: 'More actions for this list' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await waitFor(() => expect(saved).toHaveBeenCalled())
  const text = await (saved.mock.calls.flat()[0] as Blob).text()
  const lines = text.trim().split('\r\n')
  expect(lines.map((line) => line.split(';').slice(0, 3).join(';').replace('\ufeff', ''))).toEqual([
    '"Customer";"Name";"Connected"',
    '"Harbour";"Praha 0001";"Yes"',
    `"'=1+1";"Brno 0002";"Yes"`,
  ])
  expect(lines[1]).toMatch(/;"\d\d\.\d\d\.\d\d \d\d:\d\d:\d\d"$/)
  expect(server.requestsTo(exportDevices).map(({ values }) => values)).toMatchObject([
    { filter: 'dark', sort: 'status' },
  ])
})

test('a live event changes its row and no other', async () => {
  await open('/devices')
  await screen.findByText('Praha 0001')
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1, 2] }))
  server.emit('device', {
    id: 2,
    connStatusId: 0,
    statusId: 5,
    lastEvent: null,
    activeAlerts: 4,
    light: null,
    lightSince: null,
    lightIsAtLeast: false,
    lightCause: null,
    worstAlert: null,
    clockErrorMs: null,
    refusedSince: null,
    identityConflictSince: null,
    isOnBattery: null,
    wrong: null,
    tags: [],
  })
  const row = screen.getByRole('row', { name: /Brno 0002/ })
  await within(row).findByText('Offline')
  within(row).getByText('Out of order')
  within(row).getByText('4')
  within(screen.getByRole('row', { name: /Praha 0001/ })).getByText('Synced')
})

test('the keyboard walks the rows and opens the status of one', async () => {
  const { address } = await open('/devices')
  ;(await screen.findByRole('row', { name: /Praha 0001/ })).focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe(`/devices/${guid(2)}/status`))
})

test('a cell opens the status, Details opens the details', async () => {
  const first = await open('/devices')
  await userEvent.click((await screen.findAllByText('Dlouhá 1'))[0] as HTMLElement)
  await waitFor(() => expect(first.address()).toBe(`/devices/${guid(1)}/status`))
  first.unmount()
  const second = await open('/devices')
  await userEvent.click(await screen.findByRole('link', { name: 'Details of Brno 0002' }))
  await waitFor(() => expect(second.address()).toBe(`/devices/${guid(2)}/details`))
})

test('a customer user has no customer filter and asks for no customers', async () => {
  signInAs({ customerId: 3 })
  await open('/devices')
  await screen.findByText('Praha 0001')
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  expect(server.requestsTo(listCustomers)).toEqual([])
})

test('a link that names a customer shows a customer user their own devices', async () => {
  signInAs({ customerId: 3 })
  await open('/devices?customerId=4&statusId=2&page=2')
  await screen.findByText('Praha 0001')
  expect(lastQuery()).toMatchObject({ statusId: '2', rowNum: '101' })
  expect(lastQuery()).not.toHaveProperty('customerId')
})

test('the filter of one user is not that of the next in the same browser', async () => {
  localStorage.setItem('wayside.devices.filter.2', '{"statusId":3}')
  const { address } = await open('/devices')
  await screen.findByText('Praha 0001')
  expect(address()).toBe('/devices')
})

test('who may not add devices sees no way to', async () => {
  signInAs({ isAdmin: false, roleFunctions: [2] })
  await open('/devices')
  await screen.findByText('Praha 0001')
  expect(screen.queryByRole('button', { name: 'Add new' })).toBeNull()
})

test('an added device needs customer, model and name, and then offers its configuration', async () => {
  server.answer(createDevice, ({ values }) => deviceNamed(3, String(values.name)))
  await open('/devices')
  await userEvent.click(await screen.findByRole('button', { name: 'Add new' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add device' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add device' }))
  for (const field of ['Customer', 'Model', 'Name']) within(dialog).getByText(`${field} is required`)
  expect(server.requestsTo(createDevice)).toEqual([])

  await userEvent.click(within(dialog).getByRole('combobox', { name: /Customer/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'City Media' }))
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Model/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'AED kiosk, three displays' }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: /Name/ }), '  Ostrava  ')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add device' }))

  await screen.findByRole('button', { name: 'Download configuration' })
  expect(server.requestsTo(createDevice).map(({ values }) => values)).toEqual([
    { customerId: 3, modelId: 16, name: 'Ostrava' },
  ])
  await waitFor(() => expect(server.requestsTo(listDevices).length).toBeGreaterThan(1))
})

test('an empty answer to a filter offers to reset it', async () => {
  server.answer(listDevices, { rows: [], total: 0, next: null })
  const { address } = await open('/devices?deviceName=x')
  await userEvent.click(await screen.findByRole('button', { name: 'Reset the filter' }))
  await waitFor(() => expect(address()).toBe('/devices'))
  await screen.findByText('There are no devices yet')
})

test('a failed load says so and can be tried again', async () => {
  server.answer(listDevices, new Refusal('internal_error'))
  await open('/devices')
  await screen.findByText('Something went wrong on the server.')
  server.answer(listDevices, { rows: [praha], total: 1, next: null })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Praha 0001')
})

test('the next page is one hundred rows on, and its position is shown', async () => {
  server.answer(listDevices, { rows: [praha, brno], total: 430, next: 'k' })
  const { address } = await open('/devices?page=2')
  await screen.findByText('101–102 of 430')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(address()).toBe('/devices?page=3'))
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await waitFor(() => expect(address()).toBe('/devices?page=2'))
})

test('the list is accessible', async () => {
  const { container } = await open('/devices?filter=pending')
  await screen.findByText('Praha 0001')
  expect(await axeFindings(container)).toEqual([])
})

test('what is wrong now is chosen beside the other filters', async () => {
  const { address } = await open('/devices?filter=dark&search=berlin')
  await waitFor(() => expect(lastQuery()).toMatchObject({ filter: 'dark', search: 'berlin' }))
  expect(screen.getByRole('button', { name: 'Remove filter: Needs attention: Unplanned dark' })).toBeVisible()
  await openMoreFilters()
  const now = screen.getByRole('combobox', { name: 'Needs attention' })
  expect(now).toHaveValue('Unplanned dark')
  await userEvent.click(now)
  await userEvent.click(await screen.findByRole('option', { name: 'On battery' }))
  await waitFor(() => expect(address()).toBe('/devices?filter=onBattery&search=berlin'))
})

test('the tabs count their devices, and show exactly those', async () => {
  const { address } = await open('/devices?deviceName=praha&filter=pending')
  await userEvent.click(await screen.findByRole('button', { name: 'Needs attention 8' }))
  await waitFor(() => expect(address()).toBe('/devices?filter=wrong'))
  expect(screen.getByRole('button', { name: 'Needs attention 8' })).toHaveAttribute('aria-current', 'true')
  await userEvent.click(screen.getByRole('button', { name: 'Not updated 36' }))
  await waitFor(() => expect(address()).toBe('/devices?clientVersion=before-0.1.1'))
  await userEvent.click(screen.getByRole('button', { name: 'All 41' }))
  await waitFor(() => expect(address()).toBe('/devices'))
})

test('a name is a link to the status, and what is wrong is said in words', async () => {
  const dark = { ...praha, wrong: 'dark' as const, light: 'unplanned' as const, lightCause: 'Power switch 1 is off.' }
  server.answer(listDevices, { rows: [dark, brno], total: 2, next: null })
  await open('/devices')
  expect(await screen.findByRole('link', { name: 'Praha 0001' })).toHaveAttribute('href', `/devices/${guid(1)}/status`)
  expect(screen.getByText('Power switch 1 is off')).toBeVisible()
})
