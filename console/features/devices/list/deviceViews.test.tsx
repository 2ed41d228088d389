import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { countDeviceList, listDevices } from '#contract/http/devices/devices.ts'
import { listViews, type SavedView, setDefaultView, setView } from '#contract/http/devices/views.ts'
import { listCustomers, listDeviceModels, listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import { DevicesScreen } from './DevicesScreen.tsx'

const { server, open } = screenTest({ screens: { '/devices': DevicesScreen } })

const BERLIN: SavedView = {
  id: 7,
  name: 'Berlin dark',
  content: { filter: { search: 'berlin', filter: 'dark' }, sort: 'alerts', descending: true, columns: ['name', 'why'] },
  lost: null,
  isOwn: true,
  ownerName: 'me',
  share: null,
  shareName: '',
  mayChange: true,
}
const OF_BERLIN = '/devices?search=berlin&filter=dark&sort=alerts&descending=true&columns=name.why&view=7'
const answerViews = (views: readonly SavedView[], defaultId: number | null = null, isDefaultLost = false) =>
  server.answer(listViews, { views: [...views], defaultId, isDefaultLost })

beforeEach(() => {
  server.answer(listDevices, { rows: [], total: 0, next: null })
  server.answer(countDeviceList, { all: 0, wrong: 0, maintenance: 0 })
  server.answer(listCustomers, [])
  server.answer(listDeviceModels, [])
  server.answer(listDeviceStatuses, [])
  server.answer(listRoles, [])
  answerViews([BERLIN])
})

test('a view that is picked brings filter, order and columns; changes are shown, kept in it or taken back', async () => {
  server.answer(setView, 7)
  const { address } = await open('/devices')
  await userEvent.click(await screen.findByRole('button', { name: 'Berlin dark' }))
  await waitFor(() => expect(address()).toBe(OF_BERLIN))
  await waitFor(() =>
    expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({
      search: 'berlin',
      filter: 'dark',
      sort: 'alerts',
    }),
  )
  expect(screen.queryByText('changed')).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'x{Enter}')
  expect(await screen.findByText('changed')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setView)).toHaveLength(1))
  expect(server.requestsTo(setView)[0]?.values).toEqual({
    id: 7,
    page: 'devices',
    name: 'Berlin dark',
    share: null,
    content: { ...BERLIN.content, filter: { ...BERLIN.content.filter, deviceName: 'x' } },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Reset the view' }))
  await waitFor(() => expect(address()).toBe(OF_BERLIN))
  expect(screen.queryByText('changed')).toBeNull()
})

test('what is shown is kept under a name', async () => {
  server.answer(setView, 8)
  const { address } = await open('/devices?statusId=3&density=compact')
  await userEvent.click(await screen.findByRole('button', { name: 'Save view' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
  await userEvent.type(dialog.getByRole('textbox', { name: /Name/ }), ' Being mended ')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(address()).toBe('/devices?statusId=3&sort=now&density=compact&view=8'))
  expect(server.requestsTo(setView)[0]?.values).toEqual({
    id: 0,
    page: 'devices',
    name: 'Being mended',
    share: null,
    content: { filter: { statusId: 3 }, sort: 'now', density: 'compact' },
  })
})

test('the palette is assigned what the menu of views does, of the page and of the view that is open', async () => {
  const { address } = await open('/devices')
  await screen.findByRole('button', { name: 'Save view' })
  await waitFor(() => expect(server.requestsTo(listViews)).not.toHaveLength(0))
  act(() => runWhenAvailable('view 7'))
  await waitFor(() => expect(address()).toBe(OF_BERLIN))
  await screen.findByRole('button', { name: 'Berlin dark' })
  server.answer(setDefaultView, {})
  act(() => runWhenAvailable('view.default'))
  await waitFor(() => expect(server.requestsTo(setDefaultView)[0]?.values).toEqual({ page: 'devices', id: 7 }))
  act(() => runWhenAvailable('view.share'))
  expect(await screen.findByRole('dialog', { name: 'Rename or share view' })).toBeVisible()
})

test('the default opens with the page, and an address that says anything wins over it', async () => {
  answerViews([BERLIN], 7)
  localStorage.setItem('wayside.devices.filter.1', '{"statusId":3}')
  const first = await open('/devices')
  await waitFor(() => expect(first.address()).toBe(OF_BERLIN))
  expect(server.requestsTo(listDevices).every(({ values }) => values.search === 'berlin')).toBe(true)
  first.unmount()
  const second = await open('/devices?modelId=16')
  await screen.findByText('No device matches this filter')
  expect(second.address()).toBe('/devices?modelId=16')
  second.unmount()
  const third = await open('/devices?view=7')
  await waitFor(() => expect(third.address()).toBe(OF_BERLIN))
})

test('what a view cannot bring back is said', async () => {
  answerViews(
    [{ ...BERLIN, name: 'Theirs', lost: 'customer', content: { filter: {}, columns: ['name', 'old'] } }],
    null,
    true,
  )
  server.answer(setDefaultView, {})
  const { unmount } = await open('/devices?view=7')
  expect(await screen.findByText(/The view “Theirs” is about a customer that you may not see/)).toBeVisible()
  expect(screen.getByText('Columns of the view “Theirs” that no longer exist: old.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'No default' }))
  await waitFor(() => expect(server.requestsTo(setDefaultView)[0]?.values).toEqual({ page: 'devices', id: null }))
  unmount()
  await open('/devices?view=99&statusId=2')
  expect(await screen.findByText(/The view in this link was deleted or is not shared with you/)).toBeVisible()
})
