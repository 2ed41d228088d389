import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getDevice } from '#contract/http/devices/devices.ts'
import {
  type DeviceTimeline,
  getDeviceTimeline,
  getSiteTimeline,
  getUnusualFields,
  type SiteTimeline,
} from '#contract/http/devices/records.ts'
import type { AlertId, DeviceGuid, DeviceId, DeviceModelId, FieldId } from '#domain/ids.ts'
import { StatusTab } from '../StatusTab.tsx'

const FROM = '2026-11-20T08:00:00.000Z'
const TO = '2026-11-20T10:00:00.000Z'
const { server, open: draw } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})
const open = (more = '') => draw(`/devices/${GUID}/status?view=timeline&dateFrom=${FROM}&dateTo=${TO}${more}`)

const nothing = { since: FROM, items: [] }
const TIMELINE: DeviceTimeline = {
  alerts: {
    since: FROM,
    items: [
      {
        from: '2026-11-20T07:00:00.000Z',
        to: '2026-11-20T08:30:00.000Z',
        alertId: 41 as AlertId,
        conditionText: 'Warm',
        title: 'Warm',
        severityId: 2,
      },
      {
        from: '2026-11-20T09:00:00.000Z',
        to: null,
        alertId: 41 as AlertId,
        conditionText: 'Warm',
        title: 'Warm',
        severityId: 2,
      },
    ],
  },
  light: { since: '2026-11-20T09:00:00.000Z', items: [] },
  power: { since: FROM, items: [{ from: '2026-11-20T08:30:00.000Z', to: '2026-11-20T09:00:00.000Z' }] },
  presence: nothing,
  settings: {
    since: FROM,
    items: [
      {
        at: '2026-11-20T08:45:00.000Z',
        id: 1,
        name: 'display.apply',
        args: { displayNumber: 1, backlightLevel: 40 },
        by: 'eva',
      },
    ],
  },
  commands: nothing,
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceTimeline, TIMELINE)
})
const lane = async (name: string) => screen.findByRole('list', { name: new RegExp(`^${name}:`) })

test('each lane that was answered stands over the period, with what happened as links', async () => {
  const { container } = await open()
  const alerts = within(await lane('Alerts'))
  const [first, second] = alerts.getAllByRole('link')
  expect(first).toHaveAccessibleName(/^Warm, .*, for 1 h 30 min$/)
  expect(first).toHaveStyle({ left: '0%', width: '25%' })
  expect(second).toHaveAccessibleName(/^Warm, .*, still$/)
  expect(second).toHaveStyle({ left: '50%', width: '50%' })
  expect(first?.getAttribute('href')).toMatch(/^\/alerts\/alert-details\?/)
  expect(within(await lane('Settings')).getByRole('link')).toHaveAccessibleName(/backlight 40 %, by eva/)
  expect(screen.queryByRole('list', { name: /^Maintenance/ })).toBeNull()
  expect(server.requestsTo(getDeviceTimeline)[0]?.values).toEqual({ deviceId: '1', dateFrom: FROM, dateTo: TO })
  expect(await axeFindings(container)).toEqual([])
})

test('where a lane is not told from the beginning, it says so', async () => {
  await open()
  expect(within(await lane('Light')).getByTitle(/^Nothing before .+ Choose a shorter period$/)).toHaveStyle({
    width: '50%',
  })
})

test('each lane is one stop of the Tab key, and arrows walk its items', async () => {
  await open()
  const [first, second] = within(await lane('Alerts')).getAllByRole('link')
  expect([first?.tabIndex, second?.tabIndex]).toEqual([0, -1])
  first?.focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(second).toHaveFocus()
  expect(second?.tabIndex).toBe(0)
  await userEvent.keyboard('{Home}')
  expect(first).toHaveFocus()
})

test('the list tells the same in words, newest first', async () => {
  await open()
  await userEvent.click(await screen.findByRole('radio', { name: 'List' }))
  const rows = within(await screen.findByRole('table', { name: 'Timeline' }))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map(({ textContent }) => textContent?.replace(/^[\d.: ]+/, ''))).toEqual([
    'AlertsWarmstillWarning',
    expect.stringMatching(/^SettingsDisplay 1: settings/),
    'PowerOn batteryfor 30 min',
    'AlertsWarmfor 1 h 30 minWarning',
  ])
})

const compare = async () => userEvent.click(await screen.findByRole('button', { name: 'Find related changes' }))

test('what was unusual in the period is ranked, with what is usual and a way to its chart', async () => {
  server.answer(getUnusualFields, {
    fields: [{ fieldId: 4101 as FieldId, at: FROM, value: 65, usualFrom: 38, usualTo: 44, score: 17 }],
    compared: 12,
    withoutHistory: 2,
  })
  const { container } = await open()
  await compare()
  const [, row] = within(await screen.findByRole('table', { name: 'Find related changes' })).getAllByRole('row')
  expect(row?.textContent).toMatch(/^Display: Internal temperature \(°C\)6538 to 44/)
  expect(
    within(row as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toMatch(/^\/analytics\?data=/)
  screen.getByText('2 more could not be compared: fewer than 5 earlier days.')
  expect(server.requestsTo(getUnusualFields)[0]?.values).toEqual({ deviceId: '1', dateFrom: FROM, dateTo: TO })
  expect(await axeFindings(container)).toEqual([])
})

test('fields that are alike are one row until it is opened', async () => {
  const field = (fieldId: number, value: number) => ({
    ...{ fieldId: fieldId as FieldId, at: FROM, value, usualFrom: 38, usualTo: 44, score: 9 },
  })
  server.answer(getUnusualFields, {
    fields: [field(4101, 65), field(4201, 61), field(5104, 70)],
    compared: 3,
    withoutHistory: 0,
  })
  await open()
  await compare()
  const table = within(await screen.findByRole('table', { name: 'Find related changes' }))
  expect(table.getAllByRole('row')).toHaveLength(3)
  const alike = table.getByRole('button', { name: 'Display: Internal temperature (°C) and 1 like it' })
  expect(alike.closest('tr')?.textContent).toContain('61 to 6538 to 44')
  await userEvent.click(alike)
  expect(alike).toHaveAttribute('aria-expanded', 'true')
  expect(table.getAllByRole('row')).toHaveLength(5)
  expect(table.getByRole('link', { name: 'Display 2: Internal temperature (°C)' })).toBeVisible()
})

test('without enough earlier days it says so instead of a list', async () => {
  server.answer(getUnusualFields, { fields: [], compared: 0, withoutHistory: 9 })
  await open()
  await compare()
  await screen.findByText('Not enough history')
})

const NEIGHBOUR = '00000000-0000-4000-8000-000000000002' as DeviceGuid
const device = (id: number, guid: string, name: string, lanes: DeviceTimeline) => ({
  ...{ id: id as DeviceId, guid: guid as DeviceGuid, name, modelId: 1 as DeviceModelId, lanes },
})
const SITE: SiteTimeline = {
  devices: [
    device(2, NEIGHBOUR, 'Praha 0002', { ...TIMELINE, light: { since: FROM, items: [] } }),
    device(1, GUID, 'Praha 0001', { alerts: nothing, presence: nothing }),
  ],
  leftOut: 3,
}

test('the devices of a site stand over one axis, and what was wrong with a folded one is on one lane', async () => {
  server.answer(getSiteTimeline, SITE)
  const { container, address } = await open()
  await userEvent.click(await screen.findByRole('radio', { name: 'Site' }))
  await waitFor(() => expect(address()).toContain('site=true'))
  const neighbour = within(await screen.findByRole('group', { name: 'Praha 0002' }))
  const wrong = within(neighbour.getByRole('list', { name: 'Praha 0002: 3' })).getAllByRole('link')
  expect(wrong.map((link) => link.getAttribute('aria-label')?.split(',')[0])).toEqual(['Warm', 'On battery', 'Warm'])
  expect(within(screen.getByRole('group', { name: 'Praha 0001' })).getByText(/^Nothing happened/)).toBeVisible()
  expect(screen.getByText('3 more devices of this site are not shown.')).toBeVisible()
  expect(await axeFindings(container)).toEqual([])

  await userEvent.click(neighbour.getByRole('button', { name: 'Lanes of Praha 0002' }))
  expect(neighbour.getByRole('list', { name: 'Settings: 1' })).toBeVisible()
  expect(neighbour.queryByRole('list', { name: 'Praha 0002: 3' })).toBeNull()
  expect(neighbour.getByRole('link', { name: 'Praha 0002' }).getAttribute('href')).toContain(
    `${NEIGHBOUR}/status?view=t`,
  )
  expect(server.requestsTo(getSiteTimeline)[0]?.values).toEqual({ deviceId: '1', dateFrom: FROM, dateTo: TO })
})

test('an address of a site is one, its list names the devices, and a device alone says so', async () => {
  server.answer(getSiteTimeline, SITE)
  await open('&site=true')
  await userEvent.click(await screen.findByRole('radio', { name: 'List' }))
  const table = within(await screen.findByRole('table', { name: 'Timeline' }))
  expect(table.getAllByRole('cell', { name: 'Praha 0002' })).toHaveLength(4)
  server.answer(getSiteTimeline, { devices: SITE.devices.slice(1), leftOut: 0 })
  await userEvent.click(screen.getByRole('button', { name: /Reload/ }))
  expect(await screen.findByText(/^No other device of its customer is within 150 m/)).toBeVisible()
})

test('a click on the axis, and a time of the list, lead to the status as of then', async () => {
  const { container } = await open()
  await lane('Alerts')
  const over = container.querySelector('.lanes-over') as HTMLElement
  over.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect
  over.setPointerCapture = () => undefined
  fireEvent.pointerDown(over, { button: 0, clientX: 150 })
  fireEvent.pointerUp(over, { clientX: 150 })
  expect(screen.getByRole('link', { name: /^Status as of / }).getAttribute('href')).toBe(
    `/devices/${GUID}/status?at=2026-11-20T08%3A30%3A00.000Z`,
  )
  expect(screen.queryByRole('button', { name: 'Zoom in' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(screen.queryByRole('link', { name: /^Status as of / })).toBeNull()

  await userEvent.click(await screen.findByRole('radio', { name: 'List' }))
  const [first] = within(await screen.findByRole('table', { name: 'Timeline' })).getAllByRole('link')
  expect(first?.getAttribute('href')).toBe(`/devices/${GUID}/status?at=2026-11-20T09%3A00%3A00.000Z`)
})

test('what is shown by hours says so, and leads to the status of then', async () => {
  server.answer(getDeviceTimeline, {
    light: {
      since: FROM,
      items: [{ from: FROM, to: '2026-11-20T09:00:00.000Z', kind: 'unplanned' as const, hours: 'part' as const }],
    },
  })
  await open()
  const [item] = within(await lane('Light')).getAllByRole('link')
  expect(item).toHaveAccessibleName(/^Unplanned dark, in a part of each hour, /)
  expect(item?.getAttribute('href')).toBe(`/devices/${GUID}/status?at=2026-11-20T08%3A00%3A00.000Z`)
  expect(screen.getByText(/light and power are shown by hours\.$/)).toBeVisible()
})
