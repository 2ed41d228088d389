import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { attentionRow, GRAZ, NOTHING_WRONG, wrongWith } from '#console/testing/attentionOf.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { type Availability, getAvailability } from '#contract/http/insight/darkMinutes.ts'
import {
  DASHBOARD_KEYS,
  type DashboardKey,
  getDashboardTable,
  getDashboardValues,
  getTileTrends,
  getWrongNow,
  type HeatMapRow,
  type OpenedAlertRow,
  type TemperatureRow,
  type TileTrend,
  type WrongNow,
} from '#contract/http/insight/overview.ts'
import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { OverviewScreen } from './OverviewScreen.tsx'
import { overviewPeriod } from './overviewPeriod.ts'

const { server, open: draw } = screenTest({ signedIn: 'nobody', screens: { '/overview': OverviewScreen } })

const GUID = '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid
const COUNTS: Record<DashboardKey, number> = {
  DEVICES_ACTIVE: 3756,
  DEVICES_PENDING: 280,
  DEVICES_MAINTENANCE: 304,
  DEVICES_OUT_OF_ORDER: 0,
  DEVICES_ALL: 5000,
  DEVICES_WITH_ALERTS_24H: 575,
}

const hot = (device: string, internal: number | null, intake: number | null, hour = 0): TemperatureRow => ({
  device,
  device_id: device.length as DeviceId,
  device_guid: GUID,
  display_number: 1,
  internal_temp: internal,
  intake_temp: intake,
  internal_limit: null,
  internal_severity_id: null,
  device_time: new Date(Date.UTC(2026, 10, 20) + hour * HOUR_MS).toISOString(),
})

const values = (changes: Partial<Record<DashboardKey, number>> = {}) =>
  DASHBOARD_KEYS.map((key) => ({ key, value: { ...COUNTS, ...changes }[key] }))

interface Tables {
  readonly hottest?: TemperatureRow[]
  readonly opened?: OpenedAlertRow[]
  readonly chart?: TemperatureRow[]
  readonly heat?: HeatMapRow[]
}

const HEAT = Array.from({ length: 168 }, (_, n) => ({
  hn: n % 24,
  dwn: Math.floor(n / 24) + 1,
  count_alerts: n === 38 ? 16 : n === 39 ? 8 : n === 40 ? 1 : 0,
}))
const FIGURES = {
  unplannedDarkMinutes: 65,
  unknownMinutes: 1440,
  plannedDarkMinutes: 2340,
  litInOffTimesMinutes: 90,
  maintenanceMinutes: 0,
  notToldApartBefore: null,
  litMinutes: 16_315,
  availabilityPercent: 99.6031,
}
const LONG_NAME = `Stop at the very end of the longest street of the whole town ${'x'.repeat(80)}`
const LIGHT: Availability = {
  total: { devices: 2, ...FIGURES },
  customers: [{ customerId: 7 as CustomerId, customerName: 'Harbour', devices: 2, ...FIGURES }],
  worst: [
    {
      deviceId: 4 as DeviceId,
      deviceGuid: GUID,
      deviceName: LONG_NAME,
      deviceHasLeft: false,
      customerName: 'Harbour',
      ...FIGURES,
    },
    {
      ...{
        deviceId: 5 as DeviceId,
        deviceGuid: GUID,
        deviceName: 'Graz',
        deviceHasLeft: false,
        customerName: 'Harbour',
        ...FIGURES,
      },
      ...{ unplannedDarkMinutes: 0, unknownMinutes: 10_080, availabilityPercent: null },
    },
  ],
}
const OPENED = [
  {
    condition_field: 'Display: Internal temperature (°C)',
    condition_text: 'Internal temperature > 55',
    title: 'Display too hot, limit 55 °C',
    count_devices: 12,
    count_active: 7,
    count_over: 5,
  },
  {
    condition_field: 'Ups: Status',
    condition_text: 'UPS status = "on battery"',
    title: 'Running on battery',
    count_devices: 9,
    count_active: 0,
    count_over: 9,
  },
]

interface Setup {
  readonly path?: string
  readonly tables?: Tables
  readonly user?: Record<string, unknown>
  readonly counts?: Parameters<typeof server.answer<typeof getDashboardValues>>[1]
  readonly supportUrl?: string
  readonly light?: Availability | Refusal
  readonly wrong?: WrongNow | Refusal
  readonly trends?: TileTrend['trends']
}

async function setup({
  path = '/overview',
  tables = {},
  user = {},
  counts = values(),
  supportUrl,
  light = LIGHT,
  wrong = NOTHING_WRONG,
  trends = [],
}: Setup = {}) {
  const rows: Record<string, Tables[keyof Tables]> = {
    INTERNAL_TEMPERATURE: tables.hottest ?? [hot('Praha 0001', 58.52, 38.7), hot('Graz', 50.8, null)],
    OPENED_ALERTS: tables.opened ?? OPENED,
    AVG_TEMPERATURE: tables.chart ?? Array.from({ length: 24 }, (_, hour) => hot('Praha 0001', 40, 30, hour)),
    HEATMAP_ALERTS: tables.heat ?? HEAT,
  }
  server.answer(getWrongNow, wrong)
  server.answer(getDashboardValues, counts)
  server.answer(getTileTrends, { from: '2026-11-19T12:00:00.000Z', stepMinutes: 30, trends })
  server.answer(getDashboardTable, ({ values: asked }) => rows[String(asked.table)] as HeatMapRow[])
  server.answer(getAvailability, light)
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Harbour' }])
  server.answer(getConsoleSettings, supportUrl === undefined ? {} : { supportUrl })
  signInAs(user)
  return draw(path)
}

const STARTED_AT_MS = Date.now()
const tile = async (name: RegExp) => screen.findByRole('link', { name })
const tablesRequested = () => server.requestsTo(getDashboardTable).map(({ values: asked }) => asked.table)

test('a tile draws its last 24 hours up to what it says now, and nothing of hours that nobody counted', async () => {
  const day = [...Array<null>(40).fill(null), 3700, 3701, 3702, 3703, 3704, 3705, 3706, 3707]
  await setup({ trends: [{ key: 'DEVICES_ACTIVE', values: day }] })
  const drawn = within(await tile(/Active devices.*3,756/))
  expect(await drawn.findByRole('img', { name: 'Last 24 hours: 3,700 to 3,756' })).not.toBeNull()
  expect(within(await tile(/Pending devices/)).queryByRole('img')).toBeNull()
})

test('five tiles say what the database counts and open the list of it, of the chosen customer', async () => {
  await setup({ path: '/overview?customerId=7' })
  expect((await tile(/Active devices.*3,756/)).getAttribute('href')).toBe(
    '/devices?filter=activeConnected&customerId=7',
  )
  expect((await tile(/Pending devices.*280/)).getAttribute('href')).toBe('/devices?filter=pending&customerId=7')
  expect((await tile(/Maintenance devices.*304/)).getAttribute('href')).toBe('/devices?filter=maintenance&customerId=7')
  expect((await tile(/Out-of-order devices.*0/)).getAttribute('href')).toBe('/devices?filter=outOfOrder&customerId=7')
  expect((await tile(/Alerts in 24h.*575/)).getAttribute('href')).toBe('/alerts?filter=last24h&customerId=7')
  expect((await tile(/All open alerts/)).getAttribute('href')).toBe('/alerts?filter=opened&customerId=7')
  expect(server.requestsTo(getDashboardValues)[0]?.values).toMatchObject({ customerId: '7' })
})

test('everything is asked for in one round, before any answer came', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await setup({
    counts: async () => {
      await released
      return values()
    },
  })
  await waitFor(() =>
    expect(tablesRequested().sort()).toEqual([
      'AVG_TEMPERATURE',
      'HEATMAP_ALERTS',
      'INTERNAL_TEMPERATURE',
      'OPENED_ALERTS',
    ]),
  )
  await waitFor(() => expect(server.requestsTo(getDashboardValues).length).toBe(1))
  release()
  await tile(/Active devices.*3,756/)
})

test('a hot device shows the difference with one decimal, and a dash where the intake is unknown', async () => {
  await setup()
  const table = await screen.findByRole('table', { name: 'Ten hottest devices' })
  const [, first, second] = within(table).getAllByRole('row')
  expect(first?.textContent).toBe('Praha 000158.5 °C38.7 °C19.8 °C')
  expect(second?.textContent).toBe('Graz50.8 °C––')
  expect(first?.querySelector<HTMLElement>('.difference i')?.style.getPropertyValue('--bar-width')).toBe('99%')
})

test('the worst light leads to the days of its device, and unknown is told beside, never as lit', async () => {
  await setup({ path: '/overview?customerId=7' })
  const customers = await screen.findByRole('table', { name: 'Availability by customer' })
  expect(within(customers).getAllByRole('row')[1]?.textContent).toBe('Harbour28 %1 h 30 min99.6 %')
  await userEvent.click(screen.getByRole('tab', { name: 'Worst displays' }))
  const table = await screen.findByRole('table', { name: 'Worst displays' })
  const [, first, ...others] = within(table).getAllByRole('row')
  expect(first?.textContent).toBe(`${LONG_NAME}Harbour1 h 5 min24 h1 h 30 min99.6 %`)
  // Graz was never dark, so nobody has to look at it.
  expect(others).toEqual([])
  expect(within(table).getByRole('link', { name: LONG_NAME }).getAttribute('href')).toBe(
    `/devices/${GUID}/status#dark-minutes`,
  )
  const asked = server.requestsTo(getAvailability)[0]?.values
  expect(asked?.customerId).toBe('7')
  expect(addDays(String(asked?.dateFrom), 6)).toBe(asked?.dateTo)
})

test('where light in off times is not told apart it is said, and what is shown can be had as a file', async () => {
  const saved = watchDownloads()
  const untold = { litInOffTimesMinutes: null, notToldApartBefore: '2026-11-20' }
  const customers = LIGHT.customers.map((customer) => ({ ...customer, ...untold }))
  await setup({ light: { ...LIGHT, total: { ...LIGHT.total, ...untold }, customers } })
  const panel = await screen.findByRole('region', { name: 'Light, last 7 days' })
  await within(panel).findByText(/lit in off times not counted separately before 20\.11\.26/)
  expect(within(panel).getAllByRole('row')[1]?.textContent).toBe('Harbour28 %not counted separately99.6 %')
  for (const name of ['Customers', 'Worst displays']) {
    await userEvent.click(within(panel).getByRole('tab', { name }))
    await userEvent.click(within(panel).getByRole('button', { name: 'More actions for this list' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  }
  await waitFor(() => expect(saved).toHaveLength(2))
  const lines = await Promise.all(saved.map(async ({ file }) => (await file.text()).split('\r\n')))
  expect(lines[0]?.[1]).toBe('"Harbour";"2";"16315";"";"2340";"0";"1440";"65";"99.6";"2026-11-20"')
  expect(lines[1]?.[1]).toBe(`"${LONG_NAME}";"${GUID}";"Harbour";"16315";"90";"2340";"0";"1440";"65";"99.6";""`)
})

test('where nothing was lit in off times, the names have the room', async () => {
  const none = LIGHT.customers.map((customer) => ({ ...customer, litInOffTimesMinutes: 0 }))
  await setup({ light: { ...LIGHT, customers: none } })
  const customers = await screen.findByRole('table', { name: 'Availability by customer' })
  const headers = within(customers).getAllByRole('columnheader')
  expect(headers.map(({ textContent }) => textContent)).toEqual(['Customer', 'Devices', 'Unknown', 'Availability'])
})

test('another period of light is asked for, and the address keeps it', async () => {
  const { address } = await setup()
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Period of light' }), 'Last 90 days')
  await screen.findByText('Light, last 90 days')
  await waitFor(() => {
    const asked = server.requestsTo(getAvailability).at(-1)?.values
    expect(addDays(String(asked?.dateFrom), 89)).toBe(asked?.dateTo)
  })
  expect(address()).toContain('lightDays=90')
})

test('a fleet that lacked no light says so, and a failure is no such fleet', async () => {
  await setup({ light: { ...LIGHT, worst: LIGHT.worst.slice(1) } })
  await userEvent.click(await screen.findByRole('tab', { name: 'Worst displays' }))
  await screen.findByText('No unplanned dark minutes')
  cleanup()
  await setup({ light: new Refusal('internal_error') })
  await screen.findByText('Could not be loaded')
  await userEvent.click(screen.getByRole('tab', { name: 'Worst displays' }))
  await screen.findByText('Could not be loaded')
})

test('live counts and open alerts replace what is shown, for the customer that is shown', async () => {
  await setup()
  await tile(/Active devices.*3,756/)
  await waitFor(() => expect(server.watched()?.overviews).toEqual([-1]))
  const wrongNow = wrongWith([attentionRow({ devices: [{ ...GRAZ, deviceName: 'Wels' }] })])
  const event = { values: values({ DEVICES_ACTIVE: 3757 }), openedAlerts: OPENED.slice(0, 1), wrongNow }
  server.emit('overview', { ...event, customerId: 7 as CustomerId })
  server.emit('overview', { customerId: -1, ...event })
  await tile(/Active devices.*3,757/)
  await screen.findByRole('link', { name: 'Wels' })
  await waitFor(() => expect(screen.queryByText(/UPS status/)).toBeNull())
})

test('the heat map is walked by key, and each cell says its hours and its number', async () => {
  await setup()
  const grid = await screen.findByRole('grid', { name: /Alerts by hour and weekday/ })
  expect(within(grid).getAllByRole('gridcell').length).toBe(168)
  const reached = within(grid).getByRole('gridcell', { name: 'Tuesday 14:00–15:00: 16 alerts' })
  expect(reached.dataset.band).toBe('3')
  const monday = within(grid).getByRole('gridcell', { name: 'Monday 00:00–01:00: 0 alerts' })
  expect(
    within(grid)
      .getAllByRole('gridcell')
      .filter(({ tabIndex }) => tabIndex === 0),
  ).toEqual([monday])
  monday.focus()
  await userEvent.keyboard(`{ArrowDown}${'{ArrowRight}'.repeat(14)}`)
  expect(document.activeElement).toBe(reached)
  expect((await screen.findByRole('tooltip')).textContent).toBe('Tuesday 14:00–15:00: 16 alerts')
  await userEvent.keyboard('{Home}{PageDown}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Sunday 00:00–01:00: 0 alerts')
  expect(
    within(screen.getByRole('list', { name: /Colours/ }))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['0–3', '4–7', '8–15', '16 and more'])
})

test('a cell of the heat map opens its alerts by click and by Enter, an empty one nothing', async () => {
  const { address } = await setup({ path: '/overview?customerId=7' })
  await userEvent.click(await screen.findByRole('gridcell', { name: /Monday 00:00.*0 alerts/ }))
  expect(address()).toBe('/overview?customerId=7')
  screen.getByRole('gridcell', { name: /Tuesday 14:00/ }).focus()
  await userEvent.keyboard('{Enter}')
  expect(address()).toBe('/alerts?weekHour=2-14&timeZone=UTC&customerId=7')
})

test('on a screen on the wall one part follows the other, what is wrong twice as long, and nothing takes the focus', async () => {
  takeClock()
  const { container } = await setup({ path: '/overview?kiosk&customerId=7' })
  await screen.findByText('Harbour')
  const shown = () => container.querySelector('.kiosk-head span')?.textContent
  expect(shown()).toBe('Needs attention')
  await act(() => vi.advanceTimersByTimeAsync(28_000))
  expect(shown()).toBe('Needs attention')
  const names: (string | null | undefined)[] = []
  for (const forMs of [5_000, 15_000, 15_000, 15_000]) {
    await act(() => vi.advanceTimersByTimeAsync(forMs))
    names.push(shown())
  }
  expect(names).toEqual(['Temperatures', 'Light', 'Alerts', 'Needs attention'])
  expect(container.querySelector('.kiosk')?.hasAttribute('inert')).toBe(true)
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull()
})

test('where there is nothing each panel says so', async () => {
  await setup({
    tables: { hottest: [], opened: [], chart: [], heat: HEAT.map((row) => ({ ...row, count_alerts: 0 })) },
    light: { ...LIGHT, worst: [], customers: [] },
  })
  await waitFor(() => expect(screen.getAllByText('No data').length).toBe(2))
  expect(screen.getAllByText('No temperatures in the last 24 hours').length).toBe(2)
  expect(screen.getByText('No open alerts')).toBeVisible()
})

test('what cannot be refreshed stays and says how old it is; what never came is a dash', async () => {
  takeClock()
  await setup()
  await tile(/Alerts in 24h.*575/)
  server.answer(getDashboardValues, new Refusal('internal_error'))
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  await passTimeUntil(() => screen.getByRole('link', { name: /Alerts in 24h.*575.*not refreshed, read .* ago/ }))
})

test('counts that never came are a dash, not zero', async () => {
  await setup({ counts: new Refusal('forbidden') })
  await tile(/Pending devices\s*–\s*not counted/)
})

test('a customer user has no customer filter, and an address cannot give one', async () => {
  await setup({ path: '/overview?customerId=7', user: { customerId: 3 } })
  expect((await tile(/Pending devices.*280/)).getAttribute('href')).toBe('/devices?filter=pending')
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  // The period ends with the hour, and another hour may begin while tests run.
  const lastWeeks = [STARTED_AT_MS, Date.now()].map((atMs) => overviewPeriod(atMs))
  expect(lastWeeks).toContainEqual(server.requestsTo(getDashboardValues)[0]?.values)
})

test('the support card opens the configured address in a new tab', async () => {
  await setup({ supportUrl: 'https://help.example/' })
  const card = await screen.findByRole('link', { name: /Support/ })
  expect([card.getAttribute('href'), card.getAttribute('target')]).toEqual(['https://help.example/', '_blank'])
  expect(card.getAttribute('rel')).toContain('noopener')
})

test('without a configured address there is no support card', async () => {
  await setup()
  await waitFor(() => expect(server.requestsTo(getConsoleSettings).length).toBe(1))
  await tile(/Pending devices.*280/)
  expect(screen.queryByText('Support')).toBeNull()
})
