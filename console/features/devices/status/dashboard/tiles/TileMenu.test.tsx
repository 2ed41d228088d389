import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import dayjs from 'dayjs'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { BACKLIGHT, backlight, touch } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listRawData } from '#contract/http/devices/records.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'

const DEVICE_MANAGER = 2

const STATUS = `/devices/${GUID}/status`
const { server, open } = screenTest({
  screens: {
    '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } },
    '/analytics': () => <p>analytics</p>,
    '/alerts/alert-details': () => <p>alert details</p>,
  },
  at: STATUS,
})

beforeEach(() => {
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight({ alert_id: 7 }), touch()])
  server.answer(listRawData, { rows: [], total: 0, next: null })
})

const tile = (name: string) => screen.findByRole('button', { name: new RegExp(name) })
const entries = async () => (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
const search = (address: string) => Object.fromEntries(new URLSearchParams(address.split('?')[1]))
const openedBy: Record<string, (button: HTMLElement) => unknown> = {
  click: (button) => userEvent.click(button),
  'right click': (button) => userEvent.pointer({ keys: '[MouseRight]', target: button }),
  Enter: (button) => press(button, '{Enter}'),
  'the space bar': (button) => press(button, ' '),
  // Browsers turn Shift+F10 and the menu key into this event on the focused element.
  'the menu key': (button) => {
    button.focus()
    fireEvent.contextMenu(button)
  },
}
async function press(button: HTMLElement, keys: string) {
  button.focus()
  await userEvent.keyboard(keys)
}

test.each(Object.keys(openedBy))('%s opens the menu, and Escape gives the focus back to the tile', async (way) => {
  await open()
  const button = await tile('Backlight level')
  expect(screen.queryByRole('menu')).toBeNull()
  await openedBy[way]?.(button)
  await screen.findByRole('menu', { name: /^Backlight level/ })
  expect(await entries()).toEqual(['Analyse', 'Show raw data', 'Alert details'])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Analyse' })))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Show raw data' }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(document.activeElement).toBe(button)
})

test("the browser's own menu does not cover that of a tile", async () => {
  await open()
  expect(fireEvent.contextMenu(await tile('Backlight level'))).toBe(false)
})

test.each([
  ['a tile without a measurement offers no analysis', { measurement_id: null, alert_id: 7 }, {}],
  ['a tile without an active alert offers no details of one', { alert_id: null }, {}],
  ['who may not open Analytics is not led there', {}, { roleFunctions: [DEVICE_MANAGER] }],
])('%s', async (_, changes, user) => {
  signInAs(user)
  server.answer(getDeviceDashboard, [backlight({ alert_id: 7, ...changes })])
  await open()
  await userEvent.click(await tile('Backlight level'))
  const isAnalysed = !('measurement_id' in changes) && !('roleFunctions' in user)
  const hasAlert = !('alert_id' in changes) || changes.alert_id !== null
  expect(await entries()).toEqual([
    ...(isAnalysed ? ['Analyse'] : []),
    'Show raw data',
    ...(hasAlert ? ['Alert details'] : []),
  ])
})

test('a tile that nobody ever reported has a menu as well', async () => {
  await open()
  await userEvent.click(await tile('Touch screen'))
  expect(await entries()).toEqual(['Show raw data'])
})

test('Show raw data opens the field group of the tile, over the usual period', async () => {
  const { address } = await open()
  await userEvent.click(await tile('Backlight level'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show raw data' }))
  await screen.findByText('No reports in this period')
  expect(search(address())).toMatchObject({ view: 'raw', evTypeId: '4', dateTo: dayjs().endOf('day').toISOString() })
  expect(server.requestsTo(listRawData)[0]?.values).toMatchObject({ deviceId: '1', evTypeId: '4' })
})

test('Analyse opens analytics with this measurement alone, over the last 24 hours', async () => {
  const { address } = await open()
  await userEvent.click(await tile('Backlight level'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Analyse' }))
  await screen.findByText('analytics')
  const data = JSON.parse(search(address()).data ?? '')
  expect(data).toMatchObject({
    metric: {
      deviceId: 1,
      deviceName: 'Praha 0001',
      metricId: BACKLIGHT,
      metricName: 'Backlight level (%)',
      evTypeId: 4,
    },
    removeExisting: true,
  })
  expect(dayjs(data.dateTo).diff(data.dateFrom, 'hour')).toBe(24)
})

test('Alert details names the alert', async () => {
  const { address } = await open()
  await userEvent.click(await tile('Backlight level'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Alert details' }))
  await screen.findByText('alert details')
  expect(address()).toBe('/alerts/alert-details?data=%7B%22id%22%3A7%7D')
})

test('an open menu is accessible', async () => {
  await open()
  await userEvent.click(await tile('Backlight level'))
  const menu = await screen.findByRole('menu')
  within(menu).getByRole('menuitem', { name: 'Analyse' })
  expect(await axeFindings(document.body)).toEqual([])
})
