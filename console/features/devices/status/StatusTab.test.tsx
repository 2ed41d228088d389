import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import dayjs from 'dayjs'
import { beforeEach, expect, test, vi } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal, type SentRequest } from '#console/testing/contractServer.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { backlight, touch } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listMessages, listRawData, type MessageRow, type RawRow, rawRow } from '#contract/http/devices/records.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'
import { DeviceScreen } from '../page/DeviceScreen.tsx'
import { StatusTab } from './StatusTab.tsx'

const PERIOD = 'dateFrom=2026-11-20T08:00:00.000Z&dateTo=2026-11-20T10:00:00.000Z'
const IN_PERIOD = { dateFrom: '2026-11-20T08:00:00.000Z', dateTo: '2026-11-20T10:00:00.000Z' }
const { server, open: draw } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})

beforeEach(() => {
  // Long tables draw the rows that fit, and the simulated browser has no heights.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight(), touch()])
  server.answer(listRawData, pageOf([report(1)]))
  server.answer(listMessages, pageOf([said('Started')]))
})

const pageOf = <Row,>(rows: Row[], next: string | null = null, total: number | null = rows.length) => ({
  rows,
  total,
  next,
})
const report = (minute: number, values: Record<string, unknown> = { cpu_temp: minute }): RawRow =>
  rawRow.parse({
    device_dt: `2026-11-20T09:${String(minute).padStart(2, '0')}:00Z`,
    inserted: `2026-11-20T09:${String(minute).padStart(2, '0')}:01Z`,
    number: 1,
    ...values,
  })
const said = (msg: string, second = 0): MessageRow => ({
  at: `2026-11-20T09:00:${String(second).padStart(2, '0')}Z`,
  inserted: '2026-11-20T09:01:00Z',
  msg,
})
const open = (search = '') => draw(`/devices/${GUID}/status${search}`)
const choose = async (view: string) => userEvent.click(await screen.findByRole('radio', { name: view }))
const chosen = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).value
const shownTime = (moment: string) => dayjs(moment).format('DD.MM.YY HH:mm:ss')
const parametersOf = (address: string) => Object.fromEntries(new URLSearchParams(address.split('?')[1]))
const reload = async () => userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
const rowTexts = async (table: RegExp | string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent ?? '')

test('the view stands in the address, and Back goes to the one before', async () => {
  const { address, back } = await open()
  await screen.findByText('Backlight level')
  await choose('Raw data')
  await screen.findByRole('table', { name: 'Reports: Device' })
  expect(parametersOf(address()).view).toBe('raw')
  await choose('Messages')
  await screen.findByText('Started')
  expect(parametersOf(address()).view).toBe('messages')
  back()
  await screen.findByRole('table', { name: 'Reports: Device' })
  expect(chosen()).toBe('raw')
  await choose('Dashboard')
  await screen.findByText('Backlight level')
  expect(parametersOf(address())).not.toHaveProperty('view')
})

test('raw data begins with event type 3, from one hour ago to the end of today', async () => {
  const { address } = await open()
  await choose('Raw data')
  await screen.findByRole('table', { name: 'Reports: Device' })
  const { values } = server.requestsTo(listRawData)[0] as SentRequest
  expect(values).toMatchObject({ deviceId: '1', evTypeId: '3' })
  expect(dayjs().diff(String(values.dateFrom), 'minute')).toBeOneOf([60, 61])
  expect(values.dateTo).toBe(dayjs().endOf('day').toISOString())
  // The period in the address makes Back and a copied link show the same again.
  expect(parametersOf(address())).toMatchObject({ dateFrom: values.dateFrom, dateTo: values.dateTo })
})

test('a pasted link shows the view, the field group and the period that it names', async () => {
  server.answer(listRawData, pageOf([report(1, { d_internal_temp: 41.239 })]))
  await open(`?view=raw&evTypeId=4&${PERIOD}`)
  expect((await rowTexts('Reports: Display'))[0]).toContain('41.24')
  expect(server.requestsTo(listRawData).map(({ values }) => values)).toMatchObject([{ evTypeId: '4', ...IN_PERIOD }])
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Field group' }).value).toBe('Display')
})

test('another field group and another period are asked for and stand in the address', async () => {
  const { address } = await open(`?view=raw&${PERIOD}`)
  await userEvent.click(await screen.findByRole('combobox', { name: 'Field group' }))
  await userEvent.click(await screen.findByRole('option', { name: 'UPS' }))
  await screen.findByRole('table', { name: 'Reports: UPS' })
  expect(parametersOf(address())).toMatchObject({ evTypeId: '5' })
  await userEvent.click(screen.getByRole('button', { name: /Choose a period/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Yesterday' }))
  const yesterday = {
    dateFrom: dayjs().subtract(1, 'day').startOf('day').toISOString(),
    dateTo: dayjs().startOf('day').toISOString(),
  }
  await waitFor(() =>
    expect(server.requestsTo(listRawData).at(-1)?.values).toMatchObject({ evTypeId: '5', ...yesterday }),
  )
  expect(parametersOf(address())).toMatchObject({ view: 'raw', evTypeId: '5', ...yesterday })
})

test('records stay as they were read until Reload, which keeps the focus', async () => {
  await open(`?view=messages&${PERIOD}`)
  const [row = ''] = await rowTexts('Messages')
  expect(row).toBe(`${shownTime(said('').at)}Started${shownTime(said('').inserted)}`)
  server.answer(listMessages, pageOf([said('Stopped', 5), said('Started')]))
  const button = await screen.findByRole('button', { name: 'Reload' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByText('Stopped')
  expect(document.activeElement).toBe(button)
})

test('older records come page by page, by the key of the page before', async () => {
  const pages: Record<string, ReturnType<typeof pageOf<RawRow>>> = {
    first: pageOf([report(3), report(2)], 'key-2', 3),
    'key-2': pageOf([report(1)], null, 3),
  }
  server.answer(listRawData, ({ values }) => pages[String(values.next ?? 'first')] ?? new Refusal('invalid_request'))
  await open(`?view=raw&${PERIOD}`)
  await screen.findByText('Newest 2 of 3 reports')
  await userEvent.click(screen.getByRole('button', { name: 'Older reports' }))
  await screen.findByText('All 3 reports of this period')
  expect((await rowTexts('Reports: Device')).map((text) => text.slice(9, 17))).toEqual(
    [3, 2, 1].map((minute) => dayjs(`2026-11-20T09:0${minute}:00Z`).format('HH:mm:ss')),
  )
  expect(screen.queryByRole('button', { name: 'Older reports' })).toBeNull()
  // The button is gone, so the keyboard goes on from its place.
  expect(document.activeElement?.textContent).toBe('All 3 reports of this period')
  await reload()
  await screen.findByText('Newest 2 of 3 reports')
  expect(server.requestsTo(listRawData).map(({ values }) => values.next)).toEqual([undefined, 'key-2', undefined])
})

test('older records that do not come leave what is there, and say so', async () => {
  server.answer(listMessages, ({ values }) =>
    values.next === undefined ? pageOf([said('Started')], 'key', null) : new Refusal('internal_error'),
  )
  await open(`?view=messages&${PERIOD}`)
  await screen.findByText('Newest 1 of more than 10,000 messages')
  await userEvent.click(screen.getByRole('button', { name: 'Older messages' }))
  await screen.findByRole('alert')
  screen.getByText('Started')
  expect(screen.getByRole('button', { name: 'Older messages' })).not.toHaveAttribute('aria-busy')
})

test.each([
  ['raw', 'No reports in this period'],
  ['messages', 'No messages in this period'],
])('a period without %s says what to do', async (view, sentence) => {
  server.answer(listRawData, pageOf<RawRow>([]))
  server.answer(listMessages, pageOf<MessageRow>([]))
  await open(`?view=${view}&${PERIOD}`)
  await screen.findByText(sentence)
  screen.getByText(/Choose a longer period/)
})

test.each(['raw', 'messages'])('%s that cannot be read say so, and are asked for again', async (view) => {
  server.answer(listRawData, new Refusal('internal_error'))
  server.answer(listMessages, new Refusal('internal_error'))
  await open(`?view=${view}&${PERIOD}`)
  await screen.findByText('Could not be loaded')
  expect(screen.queryByText('Reading…')).toBeNull()
  server.answer(listRawData, pageOf([report(1)]))
  server.answer(listMessages, pageOf([said('Started')]))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('table')
})

test('a field group that the catalogue does not know has no columns, but a way out', async () => {
  await open(`?view=raw&evTypeId=77&${PERIOD}`)
  await screen.findByText('Columns definition not available')
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Field group' }).value).toBe('Field group 77')
  await reload()
  expect(server.requestsTo(listRawData)).toEqual([])
  await userEvent.click(screen.getByRole('combobox', { name: 'Field group' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Device' }))
  await screen.findByRole('table', { name: 'Reports: Device' })
})

test('values that a report does not say are dimmed, and its doubted clock is told', async () => {
  server.answer(
    listRawData,
    pageOf([report(1, { cpu_temp: 40, claimed_at: '2030-01-01T00:00:00Z', extra: { novelty: 5 } })]),
  )
  await open(`?view=raw&${PERIOD}`)
  const table = await screen.findByRole('table', { name: 'Reports: Device' })
  expect(within(table).getByText('40')).not.toHaveClass('dim')
  for (const dash of within(table).getAllByText('–')) expect(dash).toHaveClass('dim')
  within(table).getByText('novelty: 5')
  within(table).getByRole('img', { name: /^The clock of the device said/ })
  screen.getByText(/^Marked reports came with a time far ahead/)
})

test('a search is asked of the server, stands in the address, and can be taken back', async () => {
  server.answer(listMessages, ({ values }) => pageOf(values.text === 'fan' ? [] : [said('Started')]))
  const { address } = await open(`?view=messages&${PERIOD}`)
  await screen.findByText('Started')
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'fan')
  await screen.findByText('No message in this period contains this text')
  expect(parametersOf(address())).toMatchObject({ view: 'messages', text: 'fan', ...IN_PERIOD })
  expect(server.requestsTo(listMessages).at(-1)?.values).toMatchObject({ text: 'fan', ...IN_PERIOD })
  await userEvent.click(screen.getByRole('button', { name: 'Show all messages' }))
  await screen.findByText('Started')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Text' }).value).toBe('')
})

test('whatever a message says is text', async () => {
  const hostile = ['<img src=x onerror="window.ran=1">', '<script>window.ran=1</script>', 'javascript:window.ran=1']
  server.answer(listMessages, pageOf([...hostile.map(said), said('\u202Egnp.exe', 9)]))
  const { container } = await open(`?view=messages&${PERIOD}`)
  for (const msg of hostile) await screen.findByText(msg)
  await screen.findByText('\\u202Egnp.exe')
  expect(container.querySelectorAll('td :is(img, script, a, iframe, svg)')).toHaveLength(0)
  expect(window).not.toHaveProperty('ran')
})

test.each(['', 'view=raw&', 'view=messages&'])('the view %j is accessible', async (view) => {
  signInAs({ isLab: true })
  const { container } = await open(`?${view}${PERIOD}`)
  if (view === '') await screen.findByText('Backlight level')
  else await screen.findByRole('table')
  expect(await axeFindings(container)).toEqual([])
})
