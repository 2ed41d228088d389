import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { backlight, touch } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { type DeviceStateAt, getDeviceDashboard, getDeviceStateAt } from '#contract/http/devices/status.ts'

const AT = '2026-11-17T14:00:00.000Z'
const STATE: DeviceStateAt = {
  source: 'READINGS',
  tiles: [backlight({ field_value: 42, value_dt: '2026-11-17T13:59:55.000Z' }), touch()],
  isOnline: true,
  light: null,
  isOnBattery: null,
  settings: [],
  alertsNow: 2,
  alertsSeverityId: 2,
  alertsOver: 0,
  lastVisit: null,
}
const { server, open: draw } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})

beforeEach(() => {
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight(), touch()])
  server.answer(getDeviceStateAt, STATE)
})

const open = (at = AT) => draw(`/devices/${GUID}/status?at=${at}`)
const bar = async () => within(await screen.findByRole('toolbar', { name: 'The past' }))
const asked = () => server.requestsTo(getDeviceStateAt).map(({ values }) => values.at)

test('the tiles, the alerts and the connection are those of the moment in the address, and it says so', async () => {
  await open()
  expect(await screen.findByText('42')).toBeVisible()
  expect((await bar()).getByText(`As of ${formatMinute(AT)}`)).toBeVisible()
  expect(screen.getAllByText('5 s before').length).toBeGreaterThan(0)
  const strip = within(screen.getByRole('navigation', { name: 'Health at that time' }))
  expect(strip.getByText('2 then')).toBeVisible()
  expect(strip.getByText('Light').closest('.health-cell')).toHaveTextContent('Light–not kept for that time')
  expect(asked()).toEqual([AT])
  expect(server.requestsTo(getDeviceDashboard)).toEqual([])
  expect(await axeFindings(document.body)).toEqual([])
})

test('nothing can be done to the device from its past, by buttons or from the palette', async () => {
  await open()
  await bar()
  expect(screen.getByRole('button', { name: /^Status:/ })).toBeDisabled()
  runWhenAvailable('device.status 2')
  expect(await screen.findByText('The page shows the past. Go back to now first.')).toBeVisible()
  await userEvent.click((await bar()).getByRole('button', { name: 'Back to now' }))
  expect(await screen.findByText('80')).toBeVisible()
  expect(screen.getByRole('button', { name: /^Status:/ })).toBeEnabled()
})

test('an hour and a day further by buttons and by keys', async () => {
  await open()
  await userEvent.click((await bar()).getByRole('button', { name: '1 hour earlier' }))
  await waitFor(() => expect(asked().at(-1)).toBe('2026-11-17T13:00:00.000Z'))
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  await waitFor(() => expect(asked().at(-1)).toBe('2026-11-16T13:00:00.000Z'))
  await userEvent.keyboard('{ArrowRight}')
  await waitFor(() => expect(asked().at(-1)).toBe('2026-11-16T14:00:00.000Z'))
})

test('a typed moment is shown as it was understood before it is taken', async () => {
  await draw(`/devices/${GUID}/status`)
  await userEvent.click(await screen.findByRole('button', { name: 'View at time' }))
  const field = await screen.findByRole('textbox', { name: 'Show the status as of' })
  await userEvent.type(field, '31.2.{Enter}')
  expect(await screen.findByText('No calendar has the day 31.2..')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, '2026-11-17T14:00Z')
  expect(screen.getByText(formatMinute(AT))).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(asked()).toEqual([AT]))
})

test('means of an hour are named as such, and a moment of which nothing is known has no tiles', async () => {
  server.answer(getDeviceStateAt, { ...STATE, source: 'HOURLY_MEANS' })
  await open()
  expect(await screen.findByText(/mean of \d\d:00–\d\d:00: readings of that time are no longer kept/)).toBeVisible()
  server.answer(getDeviceStateAt, { ...STATE, tiles: [touch()] })
  await userEvent.click((await bar()).getByRole('button', { name: '1 day earlier' }))
  expect(await screen.findByText('Nothing is known of this moment')).toBeVisible()
})

test('light, what fed it and what people had set until then are told where they are kept', async () => {
  server.answer(getDeviceStateAt, {
    ...STATE,
    light: 'unplanned',
    isOnBattery: true,
    settings: [
      {
        ...{ id: 7, at: '2026-11-10T08:00:00.000Z', by: 'eva', name: 'display.apply' },
        args: { displayNumber: 1, backlightLevel: 40 },
      },
    ],
  })
  await open()
  const strip = within(await screen.findByRole('navigation', { name: 'Health at that time' }))
  expect((await strip.findByText('Dark')).closest('.health-cell')).toHaveTextContent(/^Light ?Dark$/)
  expect(strip.getByText('Power').closest('.health-cell')).toHaveTextContent(/^Power ?On battery/)
  const set = within(screen.getByRole('region', { name: 'Set by people, until then' }))
  expect(set.getByRole('listitem')).toHaveTextContent(
    `Display 1: settingsbacklight 40 %since ${formatMinute('2026-11-10T08:00:00.000Z')}, by eva`,
  )
  expect(await axeFindings(document.body)).toEqual([])
  server.answer(getDeviceStateAt, STATE)
  await userEvent.click((await bar()).getByRole('button', { name: '1 day earlier' }))
  expect(await screen.findByText(/No settings are recorded/)).toBeVisible()
})
