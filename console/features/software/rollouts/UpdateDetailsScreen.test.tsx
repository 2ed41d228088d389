import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { clientUpdateOf, countsOf, updatedDeviceOf } from '#console/testing/clientUpdateOf.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { releaseListOf } from '#console/testing/releaseOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listReleases } from '#contract/http/software/releases.ts'
import {
  type ClientUpdateDetails,
  leaveOutOfUpdate,
  listClientUpdates,
  listUpdatedDevices,
  pauseClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
  type UpdatedDevice,
} from '#contract/http/software/rollouts.ts'
import { UpdateDetailsScreen } from './UpdateDetailsScreen.tsx'
import { UpdatesScreen } from './UpdatesScreen.tsx'

const { server, open } = screenTest({
  screens: {
    '/device-software/rollouts': UpdatesScreen,
    '/device-software/rollouts/$updateId': UpdateDetailsScreen,
    '/devices/$guid/$tab': () => <p>page of a device</p>,
  },
  at: '/device-software/rollouts/7',
})
let kept: ClientUpdateDetails
let devices: UpdatedDevice[]

beforeEach(() => {
  kept = clientUpdateOf()
  devices = [
    updatedDeviceOf(),
    updatedDeviceOf({ deviceId: 2, deviceName: 'Brno 0002', state: 'failed', reason: 'The disk is full.', tries: 2 }),
    updatedDeviceOf({ deviceId: 3, deviceName: 'Plzen 0003', state: 'waiting', wave: 2, isOnline: false }),
  ]
  server.answer(listClientUpdates, () => ({ rows: [kept], next: null }))
  server.answer(listUpdatedDevices, ({ values }) => ({
    update: kept,
    rows: devices.filter(
      ({ state, wave }) => (values.state ?? state) === state && Number(values.wave ?? wave) === wave,
    ),
    next: null,
  }))
})

/** The server pages by the number of the first row. */
function pageOf<Row>(
  count: number,
  { rowNum, pageSize }: Readonly<Record<string, unknown>>,
  rowOf: (number: number) => Row,
) {
  const first = Number(rowNum)
  const shown = Math.max(0, Math.min(Number(pageSize), count - first + 1))
  const rows = Array.from({ length: shown }, (_, index) => rowOf(first + index))
  return { rows, next: first + shown > count ? null : 'key' }
}
const answerPagesOf = (count: number) =>
  server.answer(listUpdatedDevices, ({ values }) => ({
    update: kept,
    ...pageOf(count, values, (deviceId) =>
      updatedDeviceOf({ deviceId, deviceName: `Praha ${String(deviceId).padStart(4, '0')}` }),
    ),
  }))

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the list shows target, state and progress, and leads to an update', async () => {
  const { address, container } = await open('/device-software/rollouts')
  const row = await screen.findByRole('row', { name: /1\.2\.3/ })
  within(row).getByText('Running')
  within(row).getByRole('img', { name: 'Update to 1.2.3: 2 done, 1 failed, 1 updating, 36 waiting' })
  within(row).getByText('1 of 2')
  expect(await axeFindings(container)).toEqual([])
  row.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/device-software/rollouts/7'))
})

test('a list without updates, and one that cannot be loaded, say so', async () => {
  server.answer(listClientUpdates, { rows: [], next: null })
  server.answer(listReleases, releaseListOf())
  const empty = await open('/device-software/rollouts')
  await screen.findByText('There is no release to update to yet')
  empty.unmount()
  server.answer(listClientUpdates, new Refusal('internal_error'))
  await open('/device-software/rollouts')
  await screen.findByText('Something went wrong on the server.')
})

test('an update shows its waves, and every device with the reason why it is not done', async () => {
  const { container } = await open()
  await screen.findByRole('heading', { name: 'Client update to 1.2.3' })
  const waves = within(await screen.findByRole('region', { name: 'Waves' })).getAllByRole('listitem')
  expect(waves[0]).toHaveTextContent(/Wave 14 devices.*2 done, 1 failed, 1 updating.*1 offline.*Began/)
  expect(waves[1]).toHaveTextContent(/Wave 236 devices.*36 waiting.*When wave 1 is through/)
  const table = await screen.findByRole('table', { name: 'Devices of this update' })
  const rowOf = (name: RegExp) => within(table).getByRole('row', { name })
  expect(rowOf(/Praha 0001/)).toHaveTextContent(/Downloading500 kB of 1 MB/)
  expect(rowOf(/Brno 0002/)).toHaveTextContent(/FailedThe disk is full\. Try 2\./)
  expect(rowOf(/Plzen 0003/)).toHaveTextContent(/WaitingWave 2 has not started\./)
  expect(await axeFindings(container)).toEqual([])
})

test('devices are narrowed by state and wave, which stand in the address', async () => {
  const { address } = await open()
  await screen.findByRole('row', { name: /Praha 0001/ })
  await userEvent.click(await screen.findByRole('combobox', { name: 'State' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Failed' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /Praha 0001/ })).toBeNull())
  await screen.findByRole('row', { name: /Brno 0002/ })
  expect(address()).toBe('/device-software/rollouts/7?state=failed')
  await press('Reset')
  await screen.findByRole('row', { name: /Plzen 0003/ })
  await userEvent.click(await screen.findByRole('combobox', { name: 'Wave' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Wave 2' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /Brno 0002/ })).toBeNull())
  expect(server.requestsTo(listUpdatedDevices).at(-1)?.values).toMatchObject({ wave: '2' })
})

test('the page of the devices stands in the address: Next, Back, a pasted link, and another filter from its first page', async () => {
  answerPagesOf(250)
  const { address, back, unmount } = await open()
  await screen.findByText('1–100')
  await press('Next page')
  await screen.findByText('101–200')
  await screen.findByRole('row', { name: /Praha 0101/ })
  expect(address()).toBe('/device-software/rollouts/7?page=2')
  expect(server.requestsTo(listUpdatedDevices).at(-1)?.values).toEqual({ id: '7', rowNum: '101', pageSize: '100' })
  await press('Next page')
  await screen.findByText('201–250')
  expect(await screen.findByRole('button', { name: 'Next page' })).toBeDisabled()
  back()
  await screen.findByRole('row', { name: /Praha 0101/ })
  await press('Previous page')
  await screen.findByText('1–100')
  unmount()

  const pasted = await open('/device-software/rollouts/7?page=3&wave=1')
  await screen.findByRole('row', { name: /Praha 0201/ })
  await userEvent.click(await screen.findByRole('combobox', { name: 'State' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Downloading' }))
  await screen.findByText('1–100')
  expect(pasted.address()).toBe('/device-software/rollouts/7?wave=1&state=downloading')
})

test('the page of the updates stands in the address', async () => {
  server.answer(listClientUpdates, ({ values }) => pageOf(120, values, (id) => clientUpdateOf({ id })))
  const { address, unmount } = await open('/device-software/rollouts')
  await screen.findByText('1–50')
  await press('Next page')
  await screen.findByText('51–100')
  expect(address()).toBe('/device-software/rollouts?page=2')
  unmount()
  await open('/device-software/rollouts?page=3')
  await screen.findByText('101–120')
  await press('Previous page')
  await screen.findByText('51–100')
})

test('what an address says and the page cannot read is told', async () => {
  await open('/device-software/rollouts/7?state=lost')
  await screen.findByText(/state “lost”/)
})

test('a device of the list opens', async () => {
  const { address } = await open()
  await userEvent.click(await screen.findByText('Praha 0001'))
  await waitFor(() => expect(address()).toBe('/devices/00000000-0000-4000-8000-000000000001/status'))
})

test('progress follows the server without a reload', async () => {
  takeClock()
  await open()
  await screen.findByRole('img', { name: 'All devices: 2 done, 1 failed, 1 updating, 36 waiting' })
  kept = clientUpdateOf({ state: 'finished', counts: countsOf({ done: 40 }), endedAt: '2026-11-20T12:00:00.000Z' })
  devices = [updatedDeviceOf({ state: 'done' })]
  await passTimeUntil(() => screen.getByRole('img', { name: 'All devices: 40 done' }))
  await screen.findByText('Finished')
  const table = await screen.findByRole('table', { name: 'Devices of this update' })
  await within(table).findByText('Done')
})

test.each([
  [
    'running',
    'Pause',
    pauseClientUpdate,
    /Devices that have not started wait until you resume/,
    'The update is paused.',
  ],
  ['running', 'Stop', stopClientUpdate, /even when they come back.*cannot be resumed/, 'The update is stopped.'],
  ['paused', 'Resume', resumeClientUpdate, /assigned again to devices/, 'The update is resumed.'],
  ['halted', 'Resume', resumeClientUpdate, /Past failures no longer count/, 'The update is resumed.'],
  ['halted', 'Retry failed', retryFailedUpdates, /It happens when you resume/, /try again when the update is resumed/],
  ['running', 'Retry failed', retryFailedUpdates, /the device that failed\?No/, /^Devices that failed try again\.$/],
] as const)('%s: %s asks, says what it does, and does it after a Yes only', async (state, name, call, text, done) => {
  kept = clientUpdateOf({ state })
  server.answer(call, () => kept)
  await open()
  await press(name)
  const question = await screen.findByRole('dialog', { name: `${name} this update` })
  expect(question).toHaveTextContent(text)
  await userEvent.click(within(question).getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(call)).toEqual([])
  await press(name)
  await press('Yes')
  await screen.findByText(done)
  expect(server.requestsTo(call).map(({ values }) => values)).toEqual([{ id: 7 }])
})

test.each([
  ['running', ['Retry failed', 'Pause', 'Stop']],
  ['paused', ['Retry failed', 'Resume', 'Stop']],
  ['halted', ['Retry failed', 'Resume', 'Stop']],
  ['finished', ['Retry failed']],
  ['stopped', []],
])('what can be done with one that is %s: %o', async (state, names) => {
  kept = clientUpdateOf({ state })
  await open()
  await screen.findByRole('row', { name: /Praha 0001/ })
  const offered = ['Retry failed', 'Pause', 'Resume', 'Stop'].filter((name) => screen.queryByRole('button', { name }))
  expect(offered).toEqual(names)
})

test('where nothing has failed there is nothing to retry', async () => {
  kept = clientUpdateOf({ counts: countsOf({ done: 4, waiting: 36 }) })
  await open()
  await screen.findByRole('button', { name: 'Pause' })
  expect(screen.queryByRole('button', { name: 'Retry failed' })).toBeNull()
})

test('a halt says why, and a downgrade that it is one', async () => {
  kept = clientUpdateOf({ state: 'halted', stateReason: '1 of 4 devices failed.', isDowngrade: true })
  await open()
  expect(await screen.findByRole('alert')).toHaveTextContent('1 of 4 devices failed.')
  screen.getByText('Downgrade')
  screen.getByText('Waits for Resume')
})

test('what was refused because the update moved on is said, and the page is read again', async () => {
  server.answer(pauseClientUpdate, () => {
    kept = clientUpdateOf({ state: 'finished', counts: countsOf({ done: 40 }) })
    return new Refusal('update_not_running')
  })
  await open()
  await press('Pause')
  await press('Yes')
  await screen.findByText('The update is not running.')
  await screen.findByText('Finished')
})

test('head and rows are of one read: what halts in between is never above rows that go on', async () => {
  takeClock()
  await open()
  await screen.findByRole('row', { name: /Praha 0001/ })
  kept = clientUpdateOf({
    state: 'halted',
    stateReason: '2 of 4 devices failed.',
    counts: countsOf({ done: 2, failed: 2 }),
  })
  devices = [updatedDeviceOf({ state: 'failed', reason: 'It kept ending.' })]
  const table = screen.getByRole('table', { name: 'Devices of this update' })
  const seen: string[] = []
  await passTimeUntil(() => {
    const isHalted = screen.queryByText('Halted') !== null
    seen.push(`${isHalted ? 'halted' : 'running'}, ${table.textContent?.match(/Downloading|It kept ending/)?.[0]}`)
    expect(isHalted).toBe(true)
  })
  expect(new Set(seen.filter((one) => one.startsWith('halted')))).toEqual(new Set(['halted, It kept ending']))
})

test('a device that is done is observed until its new version has run for long enough', async () => {
  kept = clientUpdateOf({ counts: countsOf({ done: 4, observed: 1, waiting: 36 }) })
  devices = [updatedDeviceOf({ state: 'done', observedUntil: new Date(Date.now() + 600_000).toISOString() })]
  await open()
  const row = await screen.findByRole('row', { name: /Praha 0001/ })
  expect(row).toHaveTextContent(/ObservedIt has to keep running until \d/)
  screen.getByRole('img', { name: 'All devices: 3 done, 1 observed, 36 waiting' })
  expect(screen.getByRole('region', { name: 'Progress' })).toHaveTextContent(/has run for 30 min in one piece/)
  expect(screen.getByRole('region', { name: 'Waves' })).toHaveTextContent('When wave 1 has run for 30 min')
})

test('one device is left out after a Yes; where it is too late there is no button', async () => {
  devices = [
    updatedDeviceOf({ state: 'waiting' }),
    updatedDeviceOf({ deviceId: 2, deviceName: 'Brno 0002', state: 'restarting' }),
    updatedDeviceOf({ deviceId: 3, deviceName: 'Plzen 0003', state: 'done' }),
  ]
  server.answer(leaveOutOfUpdate, () => kept)
  const { address } = await open()
  await screen.findByRole('row', { name: /Brno 0002/ })
  expect(screen.getAllByRole('button', { name: /^Leave/ })).toHaveLength(1)
  await press('Leave out Praha 0001')
  expect(await screen.findByRole('dialog')).toHaveTextContent('Leave Praha 0001 out of update 7? It keeps the client')
  await press('Yes')
  await screen.findByText('The device is left out of the update.')
  expect(server.requestsTo(leaveOutOfUpdate).map(({ values }) => values)).toEqual([{ id: 7, deviceId: 1 }])
  expect(address()).toBe('/device-software/rollouts/7')
})

test('an update that does not exist leads back to the list', async () => {
  server.answer(listUpdatedDevices, new Refusal('not_found'))
  const missing = await open()
  await screen.findByText('This update does not exist')
  missing.unmount()
  await open('/device-software/rollouts/x')
  await screen.findByRole('link', { name: 'Go back to rollouts' })
})
