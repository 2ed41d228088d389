import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { type DevicePins, devicePins, listDevicePins } from '#contract/http/devices/pins.ts'
import { listViews } from '#contract/http/devices/views.ts'
import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import { listCustomers, listDeviceModels, listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { LocationsScreen } from './LocationsScreen.tsx'

interface Place {
  readonly name: string
  readonly at: readonly [number, number]
  readonly statusId?: number
  readonly activeAlerts?: number
  readonly light?: DevicePins['lights'][number]
  readonly cause?: string
}

const guid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`
const fleet = (places: readonly Place[], withoutPosition = 0): DevicePins =>
  devicePins.parse({
    ids: places.map((_, index) => index + 1),
    guids: places.map((_, index) => guid(index + 1)),
    names: places.map(({ name }) => name),
    latitudes: places.map(({ at }) => at[0]),
    longitudes: places.map(({ at }) => at[1]),
    statusIds: places.map(({ statusId = 2 }) => statusId),
    connStatusIds: places.map(() => 1),
    activeAlerts: places.map(({ activeAlerts = 0 }) => activeAlerts),
    lights: places.map(({ light = null }) => light),
    lightSince: places.map(() => null),
    lightIsAtLeast: places.map(() => false),
    onBattery: places.map(() => null),
    wrong: places.map(({ light }) => (light === 'unplanned' ? 'dark' : null)),
    silentSince: places.map(() => null),
    causes: places.map(({ cause = null }) => cause),
    withoutPosition,
  })
const FLEET = [
  { name: 'Praha 0001', at: [50.08, 14.43], activeAlerts: 3 },
  { name: 'Bergen 0002', at: [60.39, 5.32], statusId: 5 },
  { name: 'Sydney 0003', at: [-33.87, 151.21] },
] as const

const { server, open } = screenTest({
  screens: {
    '/locations': LocationsScreen,
    '/devices': () => <p>all devices</p>,
    '/devices/$guid/status': () => <p>a device</p>,
  },
  at: '/locations',
})

// The simulated browser has no layout, and a map without a size shows nothing.
const SIZES = ['clientWidth', 'clientHeight', 'offsetWidth', 'offsetHeight'] as const
beforeEach(() => {
  for (const name of SIZES) vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(800)
})

beforeEach(() => {
  server.answer(listViews, { views: [], defaultId: null, isDefaultLost: false })
  server.answer(listDevicePins, fleet(FLEET, 2))
  server.answer(getConsoleSettings, {})
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDeviceModels, [{ id: 22, name: 'Totem' }])
  server.answer(listDeviceStatuses, [{ id: 2, name: 'Paired' }])
})

const withFilter = (filter: unknown) => `/locations?filter=${encodeURIComponent(JSON.stringify(filter))}`
const inList = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)
const lastRequested = () => server.requestsTo(listDevicePins).at(-1)?.values
const lastQuery = () => {
  const { zoom: _, west: _west, south: _south, east: _east, north: _north, ...filter } = lastRequested() ?? {}
  return filter
}
const storedView = () => JSON.parse(sessionStorage.getItem('wayside.locations.view.1') ?? '{}')

test('the map begins over central Europe at zoom 4, with what is in view in the list beside it', async () => {
  await open()
  expect(await screen.findByRole('button', { name: 'Praha 0001, Paired, Synced, 3 alerts' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Bergen 0002, Out of order, Synced' })).toBeVisible()
  expect(await inList()).toEqual(['Bergen 0002', 'Praha 0001'])
  expect(screen.getByText('2 of 3 in view')).toBeVisible()
  expect(storedView()).toMatchObject({ zoom: 4 })
  expect(Math.abs(storedView().latitude - 49.8)).toBeLessThan(0.5)
})

test('a pin opens its device', async () => {
  const { address } = await open()
  await userEvent.click(await screen.findByRole('button', { name: /^Bergen/ }))
  await screen.findByText('a device')
  expect(address()).toBe(`/devices/${guid(2)}/status`)
})

test('the map is narrowed by every word of the list, and shown as that list', async () => {
  await open(withFilter({ filter: 'dark', connStatusId: 0, search: 'bergen' }))
  await screen.findByRole('button', { name: /^Praha/ })
  expect(lastQuery()).toEqual({ filter: 'dark', connStatusId: '0', search: 'bergen' })
  expect(screen.getByRole('link', { name: 'List' })).toHaveAttribute(
    'href',
    '/devices?search=bergen&connStatusId=0&filter=dark&sort=now',
  )
  server.answer(listDevicePins, fleet([{ ...FLEET[0], light: 'unplanned', cause: 'Front: no mains.' }]))
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByTitle('Front: no mains.')).toHaveTextContent('Front: no mains')
})

test('who points at a pin reads how its device is, and why', async () => {
  server.answer(listDevicePins, fleet([{ ...FLEET[0], light: 'unplanned', cause: 'Front: no mains.' }]))
  await open()
  const pin = await screen.findByRole('button', { name: 'Praha 0001, Paired, Synced, dark, 3 alerts' })
  expect(screen.queryByRole('tooltip')).toBeNull()
  await userEvent.hover(pin)
  const card = await screen.findByRole('tooltip')
  for (const text of ['Praha 0001', 'Paired · Synced', 'Dark, not planned', 'Front: no mains.', '3 alerts'])
    expect(within(card).getByText(text)).toBeVisible()
})

const DOUBLE_TAP_MS = 250

test('a finger reads the card of a pin first, and opens its device when it comes again', async () => {
  const { address } = await open()
  const pin = await screen.findByRole('button', { name: /^Bergen/ })
  const finger = { keys: '[TouchA]', target: pin }
  await userEvent.pointer(finger)
  expect(within(await screen.findByRole('tooltip')).getByText('Bergen 0002')).toBeVisible()
  expect(address()).toBe('/locations')
  // A second tap at once would be a double tap.
  await new Promise((goOn) => setTimeout(goOn, DOUBLE_TAP_MS))
  await userEvent.pointer(finger)
  await screen.findByText('a device')
})

test('a cluster says how many of its devices are dark', async () => {
  server.answer(
    listDevicePins,
    fleet([
      { name: 'Left', at: [50, 14], light: 'unplanned' },
      { name: 'Right', at: [50, 14], light: 'lit' },
      { name: 'Bergen', at: [60.39, 5.32] },
    ]),
  )
  await open()
  const cluster = await screen.findByRole('button', { name: '2 devices, 1 dark' })
  expect([...cluster.querySelectorAll('circle')].map((part) => part.getAttribute('class'))).toEqual([
    'map-ring-dark',
    'map-ring-fine',
  ])
})

test('where somebody moves the map stands in the address, and such an address opens there', async () => {
  const first = await open()
  await screen.findByRole('button', { name: /^Praha/ })
  expect(first.address()).toBe('/locations')
  await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
  await waitFor(() => expect(first.address()).toMatch(/\?at=49\.\d+_15\.\d+_5$/))
  first.unmount()
  sessionStorage.clear()
  localStorage.setItem('wayside.locations.filter.1', JSON.stringify({ deviceName: 'Brno' }))
  await open('/locations?at=-33.87_151.21_8')
  expect(await screen.findByRole('button', { name: /^Sydney/ })).toBeVisible()
  expect(storedView()).toMatchObject({ latitude: -33.87, longitude: expect.closeTo(151.21), zoom: 8 })
  expect(lastQuery()).toEqual({})
})

test('an address without any device in view still opens where it says', async () => {
  const { address } = await open('/locations?at=0_0_9')
  await screen.findByText('0 of 3 in view')
  expect(storedView()).toMatchObject({ latitude: 0, longitude: 0, zoom: 9 })
  expect(address()).toBe('/locations?at=0_0_9')
})

test('a filter that moves the map takes the place out of the address', async () => {
  server.answer(listDevicePins, ({ values }) => fleet(values.deviceName ? [FLEET[2]] : FLEET))
  const { address } = await open('/locations?at=50_14_7')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'syd{Enter}')
  await screen.findByText('1 in view')
  expect(address()).toBe(withFilter({ deviceName: 'syd' }))
})

test.each(['91_0_4', '50_14', '50_14_99', 'x_y_z', '50_181_4'])('%s is no place of a map', async (place) => {
  await open(`/locations?at=${place}`)
  await screen.findByRole('table')
  expect(storedView()).toMatchObject({ zoom: 4 })
})

test('the list opens a device by keyboard', async () => {
  const { address } = await open()
  const [, first] = within(await screen.findByRole('table')).getAllByRole('row')
  first?.focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await screen.findByText('a device')
  expect(address()).toBe(`/devices/${guid(1)}/status`)
})

test('Show all brings every device into view', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Show all' }))
  await screen.findByText('3 in view')
  expect(await inList()).toEqual(['Bergen 0002', 'Praha 0001', 'Sydney 0003'])
})

test('Reset comes as near to an only device as the screen begins', async () => {
  server.answer(listDevicePins, fleet([FLEET[0]]))
  await open()
  await screen.findByText('1 in view')
  expect(storedView()).toMatchObject({ zoom: 10 })
  await userEvent.click(screen.getByRole('button', { name: 'Zoom out' }))
  await waitFor(() => expect(storedView()).toMatchObject({ zoom: 9 }))
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(storedView().zoom).toBeGreaterThan(9))
  expect(storedView()).toMatchObject({ zoom: 10 })
})

test('devices without a position are counted, with a way to the list', async () => {
  const { address } = await open(withFilter({ statusId: 2 }))
  await userEvent.click(await screen.findByRole('link', { name: '2 devices have no position' }))
  await screen.findByText('all devices')
  expect(address()).toContain('statusId=2')
})

test('the filter of the address is what is asked for, and wins over the remembered one', async () => {
  localStorage.setItem('wayside.locations.filter.1', JSON.stringify({ deviceName: 'Brno' }))
  await open(withFilter({ customerId: 3, modelId: '22', attrSerial: 'SN', statusId: 2 }))
  await screen.findByRole('table')
  expect(lastQuery()).toEqual({ customerId: '3', modelId: '22', attrSerial: 'SN', statusId: '2' })
  expect(screen.getByRole('textbox', { name: 'Serial number' })).toHaveValue('SN')
})

test('a filter is kept between visits, and Reset forgets it', async () => {
  const first = await open()
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Praha{Enter}')
  await waitFor(() => expect(lastQuery()).toEqual({ deviceName: 'Praha' }))
  expect(first.address()).toBe(withFilter({ deviceName: 'Praha' }))
  first.unmount()
  const second = await open()
  await waitFor(() => expect(second.address()).toBe(withFilter({ deviceName: 'Praha' })))
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(second.address()).toBe('/locations'))
  second.unmount()
  const third = await open()
  await screen.findByRole('table')
  expect(third.address()).toBe('/locations')
  expect(lastQuery()).toEqual({})
})

test.each(['{"customerId":', '[1,2]', '{"deviceName":{"a":1},"statusId":"x"}', '"pending"'])(
  'the hostile filter %s is no filter, and that is said',
  async (text) => {
    await open(`/locations?filter=${encodeURIComponent(text)}`)
    await screen.findByText(/^Ignored invalid values in the link:/)
    await screen.findByRole('table')
    expect(lastQuery()).toEqual({})
  },
)

test('the filter null is as if there were none', async () => {
  await open('/locations?filter=null')
  await screen.findByRole('table')
  expect(lastQuery()).toEqual({})
})

test('a filter that finds nothing shows the map as it begins', async () => {
  sessionStorage.setItem('wayside.locations.view.1', JSON.stringify({ latitude: -33.9, longitude: 151.2, zoom: 9 }))
  server.answer(listDevicePins, fleet([]))
  await open(withFilter({ deviceName: 'x' }))
  await waitFor(() => expect(storedView()).toMatchObject({ zoom: 4 }))
  expect(Math.abs(storedView().latitude - 49.8)).toBeLessThan(0.5)
})

test('a customer user has no customer filter, not even by a link', async () => {
  signInAs({ customerId: 3 })
  await open(withFilter({ customerId: 7, statusId: 2 }))
  await screen.findByRole('table')
  expect(lastQuery()).toEqual({ statusId: '2' })
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
})

test('the only device of a filter is shown at zoom 10', async () => {
  server.answer(listDevicePins, ({ values }) => fleet(values.deviceName ? [FLEET[2]] : FLEET))
  await open()
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'syd{Enter}')
  await screen.findByText('1 in view')
  expect(storedView()).toMatchObject({ zoom: 10 })
  expect(Math.abs(storedView().longitude - 151.21)).toBeLessThan(0.5)
})

test('devices at one place are listed when their cluster is chosen', async () => {
  server.answer(
    listDevicePins,
    fleet([
      { name: 'Left', at: [50, 14] },
      { name: 'Right', at: [50, 14], activeAlerts: 1 },
      { name: 'Bergen', at: [60.39, 5.32] },
    ]),
  )
  await open()
  await userEvent.click(await screen.findByRole('button', { name: '2 devices, 1 alert' }))
  await screen.findByText('2 devices at one place')
  expect(await inList()).toEqual(['Left', 'Right'])
  await userEvent.click(screen.getByRole('button', { name: 'Show all in view' }))
  await waitFor(async () => expect(await inList()).toEqual(['Bergen', 'Left', 'Right']))
})

test('what is in view is watched, and an event changes its pin', async () => {
  await open()
  await screen.findByRole('button', { name: /^Praha/ })
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1, 2] }))
  server.emit('device', {
    id: 1,
    connStatusId: 0,
    statusId: 3,
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
  expect(await screen.findByRole('button', { name: 'Praha 0001, Maintenance, Offline, 4 alerts' })).toBeVisible()
})

const NO_HEALTH = { dark: [0, 0], silent: [0, 0], warned: [0, 0], unknown: [0, 0], maintained: [0, 0] }
const CELLS = { latitudes: [50, 60], longitudes: [14, 5], counts: [4_000, 1_500], activeAlerts: [7, 0], ...NO_HEALTH }
const NO_CELLS = { latitudes: [], longitudes: [], counts: [], activeAlerts: [], ...NO_HEALTH }
const LARGE = {
  ...fleet([FLEET[0], FLEET[1]], 3),
  view: {
    total: 9_000,
    area: { west: -60, south: -50, east: 170, north: 70 },
    inView: 5_500,
    covers: { west: -40, south: 20, east: 60, north: 75 },
    cells: CELLS,
  },
}

test('of a large fleet the map shows how many there are, and the list the first of them by name', async () => {
  server.answer(listDevicePins, LARGE)
  await open()
  expect(await screen.findByRole('button', { name: '4k devices (4,000), 7 alerts' })).toBeVisible()
  expect(screen.getByRole('button', { name: '1.5k devices (1,500)' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Praha/ })).toBeNull()
  expect(screen.getByText('5,500 of 9,000 in view')).toBeVisible()
  expect(screen.getByText(/^9,000 devices on the map/)).toBeVisible()
  expect(screen.getByText(/^The first 2 by name/)).toBeVisible()
  expect(await inList()).toEqual(['Bergen 0002', 'Praha 0001'])
})

test('a large fleet is asked for by what the map shows, and anew with each move', async () => {
  server.answer(listDevicePins, LARGE)
  await open(withFilter({ statusId: 2 }))
  await screen.findByText('5,500 of 9,000 in view')
  expect(server.requestsTo(listDevicePins)[0]?.values).toMatchObject({ statusId: '2', zoom: '0', west: '-180' })
  await waitFor(() => expect(lastRequested()).toMatchObject({ statusId: '2', zoom: '4' }))
  const before = lastRequested()
  expect(Number(before?.west)).toBeLessThan(14)
  expect(Number(before?.north)).toBeGreaterThan(50)
  await userEvent.click(screen.getByRole('button', { name: '4k devices (4,000), 7 alerts' }))
  await waitFor(() => expect(lastRequested()).toMatchObject({ statusId: '2', zoom: '6' }))
  expect(Number(lastRequested()?.west)).toBeGreaterThan(Number(before?.west))
})

test('where all that stand around the view are pins, a move within them asks for nothing', async () => {
  const view = { ...LARGE.view, cells: NO_CELLS, inView: 2 }
  server.answer(listDevicePins, { ...LARGE, view })
  await open()
  await screen.findByText('2 of 9,000 in view')
  expect(screen.getByRole('button', { name: /^Praha/ })).toBeVisible()
  const asked = server.requestsTo(listDevicePins).length
  await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
  await waitFor(() => expect(storedView()).toMatchObject({ zoom: 5 }))
  expect(server.requestsTo(listDevicePins)).toHaveLength(asked)
  await userEvent.click(screen.getByRole('button', { name: 'Zoom out' }))
  await userEvent.click(screen.getByRole('button', { name: 'Zoom out' }))
  await waitFor(() => expect(lastRequested()).toMatchObject({ zoom: '3' }))
})

test('Show all brings all of a large fleet into view, without knowing each', async () => {
  server.answer(listDevicePins, LARGE)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(storedView().zoom).toBeLessThan(4))
  await waitFor(() => expect(Number(lastRequested()?.east)).toBeGreaterThan(150))
})

test('a fleet that cannot be read says so beside the map', async () => {
  server.answer(listDevicePins, new Refusal('internal_error'))
  await open()
  await screen.findByText('Could not be loaded')
  expect(screen.getByRole('application', { name: /^Map of devices/ })).toBeVisible()
})

test('nobody on the map is said, with the way out of the filter', async () => {
  server.answer(listDevicePins, fleet([]))
  const { address } = await open(withFilter({ deviceName: 'x' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reset the filter' }))
  await waitFor(() => expect(address()).toBe('/locations'))
  await screen.findByText('No device has a position yet')
})

test('the page is accessible', async () => {
  const { container } = await open()
  await screen.findByRole('button', { name: /^Praha/ })
  expect(await axeFindings(container)).toEqual([])
})
