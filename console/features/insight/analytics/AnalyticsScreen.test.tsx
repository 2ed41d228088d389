import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { device, getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { getDeviceTimeline } from '#contract/http/devices/records.ts'
import { getReadingLimits } from '#contract/http/devices/status.ts'
import { getAnalyticsColumns, getReadings, listMeasurements } from '#contract/http/insight/analytics.ts'
import { getDashboardTable } from '#contract/http/insight/overview.ts'
import { AnalyticsScreen } from './AnalyticsScreen.tsx'
import { chooseShown, openShowMenu } from './testing/showMenu.ts'

const { server, open: draw } = screenTest({ screens: { '/analytics': AnalyticsScreen } })
const guid = '00000000-0000-4000-8000-000000000001'
const praha = device.parse({
  id: 1,
  guid,
  name: 'Praha 0001',
  address: '',
  statusId: 2,
  connStatusId: 1,
  lastEvent: null,
  activeAlerts: 0,
  modelId: 16,
  customerId: 3,
  attrSerial: '',
  latitude: null,
  longitude: null,
  description: '',
  iotDeviceId: guid,
  internalIp: '',
  externalIp: '',
  timeZone: 'UTC',
  timeZoneIsAssumed: true,
  customerName: 'Harbour',
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

beforeEach(() => {
  server.answer(listDevices, { rows: [praha], total: 1, next: null })
  server.answer(getDeviceById, praha)
  server.answer(listMeasurements, [
    { mea_id: 4101 as never, mea_name: 'Internal temperature (°C)', mea_group: 'Display', event_type_id: 4 },
    { mea_id: 3101 as never, mea_name: 'Uptime (s)', mea_group: 'Device', event_type_id: 3 },
  ])
  server.answer(getAnalyticsColumns, ({ values }) =>
    analyticsColumns([
      { time: hourOf(values, 10), deviceId: 1, m_4101: 40, m_4101_min: 38, m_4101_max: 44 },
      { time: hourOf(values, 11), deviceId: 1, m_4101: 42, m_4101_min: 41, m_4101_max: 45 },
    ]),
  )
})

/** The hour counts from the beginning of the requested period, whatever day it is. */
const hourOf = ({ dateFrom }: Readonly<Record<string, unknown>>, hour: number) =>
  new Date(Date.parse(String(dateFrom)) + hour * 3_600_000).toISOString()
const metric = (metricId: number) => ({ deviceId: 1, metricId })
const data = (value: object) =>
  encodeURIComponent(JSON.stringify({ dateFrom: '2026-11-20T00:00:00Z', dateTo: '2026-11-21T00:00:00Z', ...value }))
const open = (query = '') => draw(`/analytics${query}`)
const asked = () => server.requestsTo(getAnalyticsColumns).map(({ values }) => values)
const kept = () => JSON.parse(localStorage.getItem('wayside.analytics.metrics.1') ?? '{}').metric
const metricRows = async () =>
  within(await screen.findByRole('table', { name: 'Metrics' }))
    .getAllByRole('row')
    .slice(1)

test('without a metric there is no data, and nothing is asked', async () => {
  await open()
  expect(await screen.findByText('No data')).toBeVisible()
  expect(asked()).toEqual([])
})

test('without a metric the hottest devices are one click away, for who may know which these are', async () => {
  const hot = (device_id: number, device: string, display_number = 1) => ({
    ...{
      device,
      device_id,
      device_guid: praha.guid,
      display_number,
      internal_temp: 50 - device_id,
      intake_temp: 20,
      internal_limit: null,
      internal_severity_id: null,
    },
    device_time: '2026-11-20T10:00:00Z',
  })
  const rows = getDashboardTable.answer.parse([hot(1, 'Praha', 3), hot(2, 'Graz')])
  server.answer(getDashboardTable, rows)
  const { address } = await draw('/analytics')
  const links = within(await screen.findByRole('list', { name: 'Suggested charts' })).getAllByRole('link')
  expect(links).toHaveLength(3)
  expect(links[0]).toHaveTextContent('Praha, display 3, Graz')
  expect(links[1]).toHaveTextContent('Praha, display 3: inside, intake, fan')
  await userEvent.click(links[0] as HTMLElement)
  await waitFor(() => expect(server.requestsTo(getAnalyticsColumns)).toHaveLength(2))
  const asked = server.requestsTo(getAnalyticsColumns).map(({ values }) => [values.devices, values.measurements])
  expect(asked.sort()).toEqual([
    ['1', '4301'],
    ['2', '4101'],
  ])
  expect(address()).toContain('removeExisting')
})

test('a metric is added by searching its device, drawn, and stands in the address', async () => {
  const page = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add metric' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add metric' }))
  expect(within(dialog).getByText('Device is required')).toBeVisible()
  expect(within(dialog).getByText('Metric is required')).toBeVisible()
  expect(server.requestsTo(listDevices)).toEqual([])

  await userEvent.type(within(dialog).getByRole('combobox', { name: /Device/ }), 'pra')
  await waitFor(() => expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({ search: 'pra' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Praha 0001' }))
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Metric/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Internal temperature (°C)' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add metric' }))
  const [row] = await metricRows()
  await waitFor(() => expect(row).toHaveTextContent('Praha 0001Display · Internal temperature (°C)LeftØ 42384541'))
  expect(asked().at(-1)).toMatchObject({ devices: '1', measurements: '4101', minutesRound: '60', withRange: 'true' })
  expect(decodeURIComponent(page.address())).toContain('"color":"00FFD7"')
})

test('data adds to the metrics of the last visit, unless it replaces them', async () => {
  localStorage.setItem('wayside.analytics.metrics.1', JSON.stringify({ metric: [metric(4101)] }))
  const first = await open(`?data=${data({ metric: metric(3101), removeExisting: false })}`)
  expect(await metricRows()).toHaveLength(2)
  await waitFor(() => expect(kept()).toHaveLength(2))
  first.unmount()
  await open(`?data=${data({ metric: metric(3101), removeExisting: true })}`)
  expect(await metricRows()).toHaveLength(1)
})

test('metrics kept by one user are not shown to another', async () => {
  localStorage.setItem('wayside.analytics.metrics.1', JSON.stringify({ metric: [metric(4101)] }))
  signInAs({ id: 2 })
  await open()
  expect(await screen.findByText('No data')).toBeVisible()
})

test('another step makes the chart stale until it is reloaded', async () => {
  await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await metricRows()
  await waitFor(() => expect(asked()).toHaveLength(1))
  await userEvent.click(screen.getByRole('combobox', { name: 'Step' }))
  await userEvent.click(await screen.findByRole('option', { name: '5 minutes' }))
  const reload = await screen.findByRole('button', { name: /does not show this filter yet/ })
  expect(reload).toHaveClass('reload-stale')
  expect(asked()).toHaveLength(1)
  await userEvent.click(reload)
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ minutesRound: '5' }))
  expect(screen.getByRole('button', { name: 'Reload' })).not.toHaveClass('reload-stale')
})

test('a removed metric is back with Back', async () => {
  const page = await open(`?data=${data({ metric: [metric(4101), metric(3101)], removeExisting: true })}`)
  expect(await metricRows()).toHaveLength(2)
  await userEvent.click(await screen.findByRole('button', { name: /^Remove .*Uptime/ }))
  await waitFor(async () => expect(await metricRows()).toHaveLength(1))
  page.back()
  await waitFor(async () => expect(await metricRows()).toHaveLength(2))
})

test('a failed load says so and can be tried again', async () => {
  server.answer(getAnalyticsColumns, new Refusal('too_many_points'))
  await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  expect(await screen.findByText(/choose a shorter period/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the same readings can be read as a table, and axe finds nothing', async () => {
  const { container } = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}&view=table`)
  expect(await screen.findByRole('table', { name: 'Readings' })).toHaveTextContent('Internal temperature')
  expect(await axeFindings(container)).toEqual([])
})

test('the ETL status is asked for internal users only, and PROCESSING is told', async () => {
  server.answer(getDashboardTable, [{ etl_status: 'PROCESSING', etl_last_refresh: null }])
  const page = await open()
  await screen.findByText('No data')
  expect(server.requestsTo(getDashboardTable)).toEqual([])
  page.unmount()
  signInAs({ isInternal: true })
  await open()
  expect(
    await screen.findByText('ETL process is currently running. This may result decreased query performance'),
  ).toBeVisible()
  expect(screen.getByText('PROCESSING')).toBeVisible()
})

const choose = async (list: HTMLElement, option: string) => {
  await userEvent.click(list)
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const choosePeriod = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name: /Choose a period/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

test('a metric is edited in its place, and another axis or colour asks for nothing again', async () => {
  const page = await open(`?data=${data({ metric: [metric(4101), metric(3101)], removeExisting: true })}`)
  await metricRows()
  await waitFor(() => expect(asked()).toHaveLength(1))
  await userEvent.click(await screen.findByRole('button', { name: /^Edit .*Internal temperature/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit metric' })
  expect(within(dialog).getByRole('combobox', { name: /Device/ })).toHaveValue('Praha 0001')
  await waitFor(() =>
    expect(within(dialog).getByRole('combobox', { name: /Metric/ })).toHaveValue('Internal temperature (°C)'),
  )
  expect(within(dialog).getByRole('radio', { name: 'Turquoise' })).toBeChecked()
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Right' }))
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Red' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect((await metricRows())[0]).toHaveTextContent('Right'))
  expect(await metricRows()).toHaveLength(2)
  expect(decodeURIComponent(page.address())).toContain('"metricId":4101,"color":"ff4560","yAxis":2')
  expect(asked()).toHaveLength(1)
})

test('a metric that the list of another device does not hold is cleared', async () => {
  server.answer(listDevices, { rows: [praha, { ...praha, id: 2 as never, name: 'Brno 0002' }], total: 2, next: null })
  server.answer(listMeasurements, ({ values }) => [
    {
      mea_id: (values.deviceId === '2' ? 3101 : 4101) as never,
      mea_name: 'Only this',
      mea_group: 'Device',
      event_type_id: 3,
    },
  ])
  await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await userEvent.click(await screen.findByRole('button', { name: /^Edit / }))
  const dialog = await screen.findByRole('dialog')
  const list = within(dialog).getByRole('combobox', { name: /Metric/ })
  await waitFor(() => expect(list).toHaveValue('Only this'))
  await choose(within(dialog).getByRole('combobox', { name: /Device/ }), 'Brno 0002')
  await waitFor(() => expect(list).toHaveValue(''))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Metric is required')).toBeVisible()
})

test('a metric already present is not added again, and the next one is offered the next colour', async () => {
  await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await metricRows()
  await userEvent.click(await screen.findByRole('button', { name: 'Add metric' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('radio', { name: 'Amber' })).toBeChecked()
  expect(within(dialog).getByRole('radio', { name: 'Left' })).toBeChecked()
  await choose(within(dialog).getByRole('combobox', { name: /Device/ }), 'Praha 0001')
  await choose(within(dialog).getByRole('combobox', { name: /Metric/ }), 'Internal temperature (°C)')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add metric' }))
  expect(await screen.findByText('This metric is already in the chart.')).toBeVisible()
  expect(await metricRows()).toHaveLength(1)
})

test('beyond three days only the hour is offered, and the earlier step is back with a shorter period', async () => {
  await open(`?step=5&data=${data({ metric: metric(4101), removeExisting: true })}`)
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ minutesRound: '5' }))
  await choosePeriod('Last 7 days')
  const step = screen.getByRole('combobox', { name: 'Step' })
  expect(step).toHaveValue('1 hour')
  await userEvent.click(step)
  expect(screen.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent)).toEqual(['1 hour'])
  await userEvent.keyboard('{Escape}')
  const reload = screen.getByRole('button', { name: /does not show this filter yet/ })
  expect(asked()).toHaveLength(1)
  await userEvent.click(reload)
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ minutesRound: '60' }))
  await choosePeriod('Today')
  expect(step).toHaveValue('5 minutes')
})

test('metrics without a single reading in the period say "No data"', async () => {
  server.answer(getAnalyticsColumns, analyticsColumns([]))
  await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  expect(await screen.findByText('No data')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Export what is shown' })).toBeDisabled()
})

test('a measurement that does not exist says so and leaves the others drawn', async () => {
  await open(`?data=${data({ metric: [metric(4101), metric(987654)], removeExisting: true })}`)
  const [known, unknown] = await metricRows()
  await waitFor(() => expect(known).toHaveTextContent('42'))
  expect(unknown).toHaveTextContent('There is no such measurement.')
  expect(asked().map(({ measurements }) => measurements)).toEqual(['4101'])
})

test.each([
  ['ends before it begins', { dateFrom: '2026-11-21', dateTo: '2026-11-20' }, /a period that ends before it begins/],
  ['has no date', { dateFrom: 'yesterday' }, /dateFrom “yesterday”/],
  ['names a device by no number', { metric: [{ deviceId: 'x', metricId: 4101 }] }, /1 of 1 metrics/],
])('an address whose data %s says what was left out', async (_what, wrong, words) => {
  await open(`?data=${data({ metric: metric(4101), ...wrong })}`)
  expect(await screen.findByText(words)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Close this note' }))
  expect(screen.queryByText(words)).toBeNull()
})

test('the legend leaves one metric alone, hides one, and the address says which are hidden', async () => {
  const page = await open(`?data=${data({ metric: [metric(4101), metric(3101)], removeExisting: true })}`)
  await screen.findByRole('button', { name: /^Only Display · Internal temperature/ })
  const legend = screen.getByRole('list', { name: 'Values at the cursor' })
  const button = (name: RegExp) => within(legend).getByRole('button', { name })
  const inAddress = () => JSON.parse(new URL(page.address(), 'http://a').searchParams.get('data') ?? '{}').metric
  await userEvent.click(button(/^Only Display · Internal temperature/))
  await waitFor(() => expect(inAddress()[1]).toMatchObject({ metricId: 3101, isHidden: true }))
  expect(button(/^Only Display/)).toHaveAttribute('aria-pressed', 'true')
  expect(button(/^Show Device · Uptime/)).toHaveAttribute('aria-pressed', 'false')
  expect((await metricRows())[1]).toHaveTextContent('hidden in the chart')

  await userEvent.click(button(/^Only Display/))
  await waitFor(() => expect(inAddress().some(({ isHidden }: { isHidden?: true }) => isHidden)).toBe(false))
  button(/^Show Display/).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(inAddress()[0]).toMatchObject({ metricId: 4101, isHidden: true }))
  expect(asked()).toHaveLength(1)
  expect(await axeFindings(legend)).toEqual([])
})

test('a link with a hidden metric shows the others, also as a table', async () => {
  const hidden = { ...metric(3101), isHidden: true }
  await open(`?data=${data({ metric: [metric(4101), hidden], removeExisting: true })}&view=table`)
  const table = await screen.findByRole('table', { name: 'Readings' })
  expect(table).toHaveTextContent('Internal temperature')
  expect(table).not.toHaveTextContent('Uptime')
  await waitFor(() => expect(kept()[1]).toMatchObject({ metricId: 3101, isHidden: true }))
})

test('any colour may be written; one that a theme swallows says so', async () => {
  const page = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await userEvent.click(await screen.findByRole('button', { name: /^Edit / }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit metric' })
  const written = within(dialog).getByRole('textbox', { name: /Any colour/ })
  await userEvent.clear(written)
  await userEvent.type(written, '#ffff')
  expect(within(dialog).getByText(/Six digits/)).toBeVisible()
  await userEvent.type(written, '00')
  expect(within(dialog).getByRole('status')).toHaveTextContent('Hard to see in the light theme.')
  expect(await axeFindings(dialog)).toEqual([])
  await waitFor(() =>
    expect(within(dialog).getByRole('combobox', { name: /Metric/ })).toHaveValue('Internal temperature (°C)'),
  )
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(decodeURIComponent(page.address())).toContain('"color":"ffff00"'))
})

test('the same hours a week before lie behind each line, by one more call, and a link has them too', async () => {
  const { address, container } = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await waitFor(() => expect(asked()).toHaveLength(1))
  await chooseShown('A week before')
  await waitFor(() => expect(asked()).toHaveLength(2))
  expect(asked()[1]).toMatchObject({ dateFrom: '2026-11-13T00:00:00.000Z', dateTo: '2026-11-14T00:00:00.000Z' })
  await waitFor(() => expect(container).toHaveTextContent(/, a week before/))
  expect(address()).toContain('compare=week')
  // The compared series is not counted as a metric.
  expect(await metricRows()).toHaveLength(1)
  await chooseShown('A week before')
  await waitFor(() => expect(container).not.toHaveTextContent(/, a week before/))
  expect(address()).not.toContain('compare')
  expect(await axeFindings(container)).toEqual([])
})

test('what happened with a device stands below the chart of it, as the address says', async () => {
  const nothing = { since: '2026-11-20T00:00:00.000Z', items: [] }
  server.answer(getDeviceTimeline, {
    alerts: nothing,
    power: {
      since: nothing.since,
      items: [{ from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T18:00:00.000Z' }],
    },
  })
  const { container, address } = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  await metricRows()
  expect(server.requestsTo(getDeviceTimeline)).toEqual([])
  await chooseShown('What happened')
  const below = within(await screen.findByRole('region', { name: 'Timeline of the device' }))
  expect(await below.findByRole('link', { name: /^On battery, .*, for 6 h/ })).toHaveStyle({
    left: '50%',
    width: '25%',
  })
  expect(below.getByText('Nothing in: alerts')).toBeVisible()
  expect(address()).toContain('lanes=1')
  expect(server.requestsTo(getDeviceTimeline)[0]?.values).toMatchObject({ deviceId: '1' })
  expect(await axeFindings(container)).toEqual([])
  await chooseShown('What happened')
  expect(screen.queryByRole('region', { name: 'Timeline of the device' })).toBeNull()
  expect(address()).not.toContain('lanes=')
})

test('the newest value is the newest reading of what is shown; where none is kept, a mean that says so', async () => {
  server.answer(getReadings, ({ values }) => {
    const at = Date.parse(String(values.dateFrom)) + 40 * 60_000
    return { timesMs: [at - 60_000, at], values: [43, 44.5], isWhole: true }
  })
  const { container } = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  const [row] = await metricRows()
  expect(await within(row as HTMLElement).findByText('44.5')).toBeVisible()
  expect(server.requestsTo(getReadings)[0]?.values).toMatchObject({
    dateFrom: '2026-11-20T11:00:00.000Z',
    dateTo: '2026-11-20T11:59:59.999Z',
  })
  expect(await axeFindings(container)).toEqual([])
  server.answer(getReadings, { timesMs: [], values: [], isWhole: true })
  await userEvent.click(screen.getByRole('button', { name: /^Reload/ }))
  expect(await within(row as HTMLElement).findByText('Ø 42')).toBeVisible()
})

test('limits of alert conditions lie across the chart, in the legend, until they are turned off', async () => {
  server.answer(getReadingLimits, [
    {
      field_id: 4101 as never,
      operatorCode: 'GT',
      value: 60,
      conditionText: 'Display: Internal temperature (°C) > 60',
      severityId: 2,
    },
    {
      field_id: 4102 as never,
      operatorCode: 'GT',
      value: 50,
      conditionText: 'Display: Intake temperature (°C) > 50',
      severityId: 2,
    },
  ])
  const { container, address } = await open(`?data=${data({ metric: metric(4101), removeExisting: true })}`)
  expect(await screen.findByText(/, limit > 60$/)).toBeVisible()
  expect(screen.queryByText(/limit > 50/)).toBeNull()
  expect(await axeFindings(container)).toEqual([])
  await chooseShown('Limits')
  expect(screen.queryByText(/limit/)).toBeNull()
  expect(address()).toContain('limits=false')
})

test('one or two metrics have bands until somebody decides, and steps below an hour have none', async () => {
  server.answer(listMeasurements, [])
  const three = [metric(4101), metric(4102), metric(3101)]
  const page = await open(`?data=${data({ metric: three.slice(0, 2), removeExisting: true })}`)
  await metricRows()
  const band = () => screen.getByRole('menuitemcheckbox', { name: /^Min–max band/ })
  await openShowMenu()
  expect(band()).toHaveAttribute('aria-checked', 'true')
  page.unmount()
  const more = await open(`?data=${data({ metric: three, removeExisting: true })}`)
  await openShowMenu()
  expect(band()).toHaveAttribute('aria-checked', 'false')
  await userEvent.click(band())
  expect(more.address()).toContain('band=true')
  more.unmount()
  await open(`?data=${data({ metric: three, removeExisting: true })}&band=true&step=5`)
  await openShowMenu()
  expect(band()).toHaveTextContent('only with steps of 1 hour')
  expect(band()).toHaveAttribute('aria-checked', 'false')
})
