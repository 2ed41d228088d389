import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { backlight, secondsAgo } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { type DeviceHealth, getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import { getDeviceClient } from '#contract/http/software/rollouts.ts'
import type { FieldId } from '#domain/ids.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'

const INTERNAL = 4101 as FieldId
const DAY_S = 24 * 3600
let asked = 0

function DeviceScreenWithWhy({ children }: { readonly children: ReactNode }) {
  usePaletteCommands([{ actionId: 'device.whyDark', label: 'Why is it dark?', run: () => asked++ }])
  return <DeviceScreen>{children}</DeviceScreen>
}

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreenWithWhy, tabs: { status: StatusTab } } },
  at: `/devices/${GUID}/status`,
})

const inside = (celsius: number | null) =>
  backlight({
    field_id: INTERNAL,
    field_name: 'Internal temperature',
    field_value: celsius,
    measurement_id: INTERNAL,
    ...(celsius === null && { value_dt: null }),
  })
const HEALTH: DeviceHealth = {
  limits: [
    { field_id: INTERNAL, operatorCode: 'GT', value: 40, conditionText: 'Internal temperature > 40', severityId: 2 },
  ],
  alertsNow: 1,
  alertsSeverityId: 1,
  alertsOver: 2,
  lastVisit: { id: 9, startDt: secondsAgo(14 * DAY_S), endDt: null, comment: 'Filter changed', componentName: 'Fan' },
  unreported: [],
  refused: null,
}

beforeEach(() => {
  asked = 0
  server.answer(getDevice, deviceOf({ light: 'unplanned', lightSince: secondsAgo(4320), lightCause: 'Relay 1 is off' }))
  server.answer(getDeviceDashboard, [inside(31.4)])
  server.answer(getDeviceHealth, HEALTH)
  server.answer(getDeviceClient, { version: '1.4.0', newestVersion: '1.4.0', update: null })
})

const strip = async () => within(await screen.findByRole('navigation', { name: 'Health' }))
const cell = async (name: string) => {
  const found = (await (await strip()).findByText(name)).closest<HTMLElement>('.health-cell')
  await waitFor(() => expect(within(found as HTMLElement).queryByRole('status')).toBeNull())
  return found as HTMLElement
}
const link = async (name: string) => (await cell(name)).getAttribute('href')

test('of light that may have been so before, the time is told as the least', async () => {
  server.answer(getDevice, deviceOf({ light: 'unplanned', lightSince: secondsAgo(4320), lightIsAtLeast: true }))
  await open()
  expect((await cell('Light')).textContent).toBe('LightDark, at least 1 h 12 min')
})

test('a device is read in one strip: light, heat, power, network, alerts, visit', async () => {
  await open()
  await cell('Last visit')
  const cells = (await strip()).getAllByText(/^(Light|Heat|Power|Network|Alerts|Last visit)$/)
  expect(cells.map((name) => name.closest('.health-cell')?.textContent)).toEqual([
    'LightDark, 1 h 12 minRelay 1 is off',
    'Heat31.4°C8.6 °C below the limit',
    'Power–',
    'NetworkSynced',
    'Alerts1 active2 resolved, not closed',
    'Last visit14 d agoFan: Filter changed',
  ])
})

test('each answer leads to where it comes from', async () => {
  signInAs({ roleFunctions: [FUNCTION.deviceManager, FUNCTION.analytics], isAdmin: false })
  await open()
  expect(await link('Alerts')).toBe(`/devices/${GUID}/alerts?conditionStateId=1`)
  expect(await link('Last visit')).toBe(`/devices/${GUID}/maintenance`)
  expect(await link('Heat')).toMatch(/^\/analytics\?data=/)
  expect(await link('Power')).toBe(`/devices/${GUID}/setup`)
  expect(await link('Network')).toContain('view=raw&evTypeId=3')
  await userEvent.click(await cell('Light'))
  expect(asked).toBe(1)
})

test('what is beyond its limit is marked on its tile too', async () => {
  server.answer(getDeviceDashboard, [inside(43)])
  await open()
  expect((await cell('Heat')).dataset.tone).toBe('warn')
  expect(((await screen.findByText('Internal temperature')).closest('li') as HTMLElement).dataset.severity).toBe('warn')
})

test('nothing known is a dash, and where no limit can be asked for none is told', async () => {
  server.answer(getDevice, deviceOf({ light: null }))
  server.answer(getDeviceDashboard, [inside(null)])
  server.answer(getDeviceHealth, {
    limits: [],
    alertsNow: 0,
    alertsSeverityId: null,
    alertsOver: 0,
    lastVisit: null,
    unreported: [],
    refused: null,
  })
  await open()
  for (const name of ['Light', 'Heat', 'Power', 'Last visit']) expect((await cell(name)).textContent).toContain('–')
  expect((await cell('Alerts')).textContent).toBe('AlertsNonenone open')
})

test('the strip is there before the values are', async () => {
  server.answer(getDeviceDashboard, () => new Promise<never>(() => undefined))
  await open()
  expect((await cell('Light')).textContent).toContain('Dark')
  const loading = (await strip())
    .getAllByRole('status', { name: 'Loading' })
    .map((bar) => bar.parentElement?.textContent)
  expect(loading).toEqual(expect.arrayContaining(['Heat', 'Power', 'Network']))
})

test('what cannot be read is not known, and the rest stands', async () => {
  server.answer(getDeviceHealth, new Refusal('internal_error'))
  await open()
  for (const name of ['Alerts', 'Last visit']) expect((await cell(name)).textContent).toBe(`${name}–`)
  expect((await cell('Heat')).textContent).toBe('Heat31.4°CInternal temperature')
})

test('what was fine when it was last heard of is old, and no longer fine', async () => {
  server.answer(getDeviceDashboard, [{ ...inside(31.4), value_dt: secondsAgo(3600) }])
  await open()
  const heat = await cell('Heat')
  expect(heat.dataset.tone).toBe('off')
  within(heat).getByText('1 h ago')
})

test('the strip is accessible', async () => {
  const { container } = await open()
  await cell('Last visit')
  await cell('Heat')
  expect(await axeFindings(container)).toEqual([])
})
