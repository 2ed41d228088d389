import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import dayjs from 'dayjs'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { csvNote } from '#console/lib/csv.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { backlight } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { exportMessages, exportRawData, listMessages, listRawData, rawRow } from '#contract/http/devices/records.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'

const PERIOD = { dateFrom: '2026-11-20T08:00:00.000Z', dateTo: '2026-11-20T10:00:00.000Z' }
const AT = '2026-11-20T09:00:00Z'
const RECEIVED = '2026-11-20T09:00:01Z'
const SPINNER_MS = 2_000
const { server, open: draw } = screenTest({
  signedIn: { isLab: true },
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})
let saved: ReturnType<typeof watchDownloads>

beforeEach(() => {
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight()])
  server.answer(listRawData, { rows: [], total: 0, next: null })
  server.answer(listMessages, { rows: [], total: 0, next: null })
  saved = watchDownloads()
})

const open = (search: Record<string, string>) =>
  draw(`/devices/${GUID}/status?${new URLSearchParams({ ...search, ...PERIOD })}`)
const exportButton = () => screen.findByRole('button', { name: 'Export CSV' })
const written = (moment: string) => `"${dayjs(moment).format('DD.MM.YY HH:mm:ss')}"`

test('raw data becomes a file of the period and field group, under the name of its device', async () => {
  server.answer(exportRawData, [
    rawRow.parse({ device_dt: AT, inserted: RECEIVED, number: 2, r_port1_status: 1, extra: { note: '=1;"x"' } }),
  ])
  await open({ view: 'raw', evTypeId: '8' })
  expect(await exportButton()).toHaveAccessibleDescription(csvNote())
  await userEvent.click(await exportButton())
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.name).toBe(`rawData_1_${dayjs().format('YYYY-MM-DD')}.csv`)
  expect(await saved[0]?.file.text()).toBe(
    `\ufeff"Time";"Component";"Relay port 1";"Relay port 2";"Received";"Clock of the device";"Other fields"\r\n` +
      `${written(AT)};"2";"1";"";${written(RECEIVED)};"";"{""note"":""=1;\\""x\\""""}"\r\n`,
  )
  expect(server.requestsTo(exportRawData)[0]?.values).toEqual({ deviceId: '1', evTypeId: '8', ...PERIOD })
})

test('messages become a file of what the search found, no cell of which is a formula', async () => {
  server.answer(exportMessages, [{ at: AT, inserted: RECEIVED, msg: '=HYPERLINK("http://x.example")\n;end' }])
  await open({ view: 'messages', text: 'hyper' })
  await userEvent.click(await exportButton())
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.name).toBe(`msgData_1_${dayjs().format('YYYY-MM-DD')}.csv`)
  expect(await saved[0]?.file.text()).toBe(
    `\ufeff"Time";"Received";"Message"\r\n` +
      `${written(AT)};${written(RECEIVED)};"'=HYPERLINK(""http://x.example"")\n;end"\r\n`,
  )
  expect(server.requestsTo(exportMessages)[0]?.values).toEqual({ deviceId: '1', text: 'hyper', ...PERIOD })
})

test('only lab users may export, and only records', async () => {
  const lab = await open({ view: 'dashboard' })
  await screen.findByText('Backlight level')
  expect(screen.queryByRole('button', { name: /Export/ })).toBeNull()
  lab.unmount()
  signInAs()
  for (const view of ['raw', 'messages']) {
    const others = await open({ view })
    await screen.findByText(/^No (reports|messages) in this period$/)
    expect(screen.queryByRole('button', { name: /Export/ })).toBeNull()
    others.unmount()
  }
})

test('a period without rows is told and makes no file', async () => {
  server.answer(exportMessages, [])
  await open({ view: 'messages' })
  await userEvent.click(await exportButton())
  await screen.findByText('No data available to export.')
  expect(saved).toEqual([])
})

test('a field group without columns is told, and nothing is asked for', async () => {
  await open({ view: 'raw', evTypeId: '77' })
  await userEvent.click(await exportButton())
  await waitFor(() => expect(screen.getAllByText('Columns definition not available')).toHaveLength(2))
  expect(server.requestsTo(exportRawData)).toEqual([])
  expect(saved).toEqual([])
})

test('an export that fails is told and makes no file', async () => {
  server.answer(exportMessages, new Refusal('internal_error'))
  await open({ view: 'messages' })
  await userEvent.click(await exportButton())
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong')
  expect(saved).toEqual([])
})

test('the button shows for 2 seconds that it works, and meanwhile neither exports twice nor loses the focus', async () => {
  takeClock()
  server.answer(exportMessages, [{ at: AT, inserted: RECEIVED, msg: 'Started' }])
  await open({ view: 'messages' })
  const button = await exportButton()
  button.focus()
  const startedMs = Date.now()
  await userEvent.keyboard('{Enter}{Enter}')
  await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'))
  // A browser takes the focus from a button that is disabled.
  expect(button).toBeEnabled()
  await waitFor(() => expect(saved).toHaveLength(1))
  await passTimeUntil(() => expect(button).not.toHaveAttribute('aria-busy'))
  expect(Date.now() - startedMs).toBeGreaterThanOrEqual(SPINNER_MS)
  expect(server.requestsTo(exportMessages)).toHaveLength(1)
  expect(document.activeElement).toBe(button)
})
