import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { backlight } from '#console/testing/tiles.ts'
import { type DeviceComponent, listDeviceComponents, setDeviceComponents } from '#contract/http/devices/components.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import { getDeviceClient } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
  at: `/devices/${GUID}/status`,
})

const RELAY: DeviceComponent = {
  ...{ id: 7, deviceId: 1 as DeviceId, modelId: 4, categoryId: 3, number: 1, label: 'In the door' },
  ...{ labelReset: '', labelPort1: 'Port 1', labelPort2: 'Port 2', optionPort1: 'FULL', optionPort2: 'FULL' },
  ...{ als: null, touchMatrix: null, touch_matrix: null, jsonSettings: null, isExpected: false, unusedPorts: [] },
  ...{ removed: false, event_type_id: 8, category: 'Network relay' },
}
let unreported: { componentId: number; modelId: number; number: number; label: string }[]
let saved: Readonly<Record<string, unknown>>[]

beforeEach(() => {
  unreported = [{ componentId: 7, modelId: 4, number: 1, label: 'In the door' }]
  saved = []
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight()])
  server.answer(getDeviceHealth, () => ({
    limits: [],
    alertsNow: 0,
    alertsSeverityId: null,
    alertsOver: 0,
    lastVisit: null,
    unreported,
    refused: null,
  }))
  server.answer(getDeviceClient, { version: '1.4.0', newestVersion: '1.4.0', update: null })
  server.answer(listDeviceComponents, [RELAY])
  server.answer(setDeviceComponents, ({ values }) => {
    saved.push(values['0'] as Readonly<Record<string, unknown>>)
    unreported = []
    return [RELAY]
  })
})

const question = async () => within(await screen.findByRole('region', { name: 'Not reported yet' }))
const isGone = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Not reported yet' })).toBeNull())

test('a part that will come is kept, and asked about no more', async () => {
  await open()
  expect((await question()).getByText('In the door')).toBeTruthy()
  expect(await axeFindings(await screen.findByRole('region', { name: 'Not reported yet' }))).toEqual([])
  await userEvent.click((await question()).getByRole('button', { name: 'Expected later: Network relay 1' }))
  await isGone()
  expect(saved).toMatchObject([{ id: 7, isExpected: true, removed: false, labelPort1: 'Port 1' }])
})

test('a part that is not there is removed, after a question', async () => {
  await open()
  await userEvent.click((await question()).getByRole('button', { name: 'Remove Network relay 1' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Network relay 1' }))
  expect(saved).toEqual([])
  await userEvent.click(dialog.getAllByRole('button').at(-1) as HTMLElement)
  await isGone()
  expect(saved).toMatchObject([{ id: 7, removed: true }])
})

test('who may not change components is told, and asked nothing', async () => {
  signInAs({ roleFunctions: [FUNCTION.deviceManager], isAdmin: false })
  await open()
  expect((await question()).queryAllByRole('button')).toEqual([])
})

test('where everything has reported there is no question', async () => {
  unreported = []
  await open()
  await screen.findByRole('navigation', { name: 'Health' })
  await isGone()
})
