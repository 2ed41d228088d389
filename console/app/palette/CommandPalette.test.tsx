import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { StatusMenu } from '#console/features/devices/page/StatusMenu.tsx'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { type Device, getDevice, listDevices } from '#contract/http/devices/devices.ts'
import { listViews, type SavedView } from '#contract/http/devices/views.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { CommandPalette } from './CommandPalette.tsx'
import { SYNONYMS } from './synonyms.ts'

const { server, open } = screenTest({
  screens: { '/': Page, '/alerts': Alerts, '/devices/$guid/status': DevicePage, '/roles': Roles },
  at: '/',
})
const guid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

beforeEach(() => {
  localStorage.setItem(
    'wayside.viewHistory.1',
    JSON.stringify([
      { guid: guid(1), name: 'Praha 0001' },
      { guid: guid(2), name: 'Brno 0002' },
    ]),
  )
  server.answer(listDevices, {
    rows: [
      deviceOf({ id: 2, guid: guid(2), name: 'Brno 0002' }),
      deviceOf({ id: 3, guid: guid(3), name: 'Brno 0003' }),
    ],
    total: 2,
    next: null,
  })
  server.answer(listViews, NO_VIEWS)
})

const NO_VIEWS = { views: [] as SavedView[], defaultId: null, isDefaultLost: false }

/** It says what the first line reads for the words of each item. */
const firstHits: Readonly<Record<string, string>> = {
  'page /overview': 'Overview',
  'page /devices': 'Devices',
  'page /waiting-devices': 'WaitingDevices',
  'page /install': 'InstallDevices',
  'page /visits': 'VisitsDevices',
  'page /locations': 'Locations',
  'page /alerts': 'Alerts',
  'page /incidents': 'IncidentsAlerts',
  'page /maintenance-windows': 'Maintenance windowsAlerts',
  'page /analytics': 'Analytics',
  'page /light-statements': 'Light statementsAnalytics',
  'page /proof-of-light': 'Proof of lightAnalytics',
  'page /light-rules': 'Light rulesAnalytics',
  'page /energy': 'EnergyAnalytics',
  'page /panel-life': 'Panel lifeAnalytics',
  'page /audit-log': 'Audit log',
  'page /thresholds': 'Alert Thresholds',
  'page /users': 'Users',
  'page /single-sign-on': 'Single sign-onUsers',
  'page /roles': 'Roles',
  'page /notifications/routes': 'RoutesNotifications',
  'page /notifications/on-call': 'On-callNotifications',
  'page /notifications/channels': 'ChannelsNotifications',
  'page /customers': 'Customers',
  'page /status-pages': 'Status pagesCustomers',
  'page /device-software/releases': 'ReleasesDevice software',
  'page /device-software/rollouts': 'RolloutsDevice software',
  'page /system': 'System',
  'account.factors': 'Second factor',
}

function Page() {
  return (
    <main>
      <CommandPalette />
      <search className="filter-bar">
        <input aria-label="Search" />
      </search>
      <input aria-label="A field" />
    </main>
  )
}

function Alerts() {
  return (
    <main>
      <button type="button" data-row-index={0} tabIndex={0}>
        alerts
      </button>
    </main>
  )
}

function DevicePage() {
  const device = deviceOf({ guid: guid(1), statusId: 2 })
  return (
    <>
      <Page />
      <StatusMenu device={device as Device} />
    </>
  )
}

function Roles() {
  const [isOpen, setIsOpen] = useState(false)
  usePaletteCommands([{ actionId: 'role.add', label: 'Add role', run: () => setIsOpen(true) }])
  return isOpen && <div role="dialog" aria-label="Role in making" />
}
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const optionsOf = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
async function search(text = '') {
  await userEvent.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveFocus())
  if (text) await userEvent.keyboard(text)
}

test('what is typed at once after Ctrl K, before the field has the focus, stands in it', async () => {
  await open()
  const user = userEvent.setup({ delay: null })
  await user.keyboard('{Control>}k{/Control}brno 00')
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveValue('brno 00'))
  await user.keyboard('02')
  expect(screen.getByRole('combobox')).toHaveValue('brno 0002')
})

test('Ctrl K, a few letters, an arrow and Enter lead to a device', async () => {
  const { address } = await open()
  await search()
  expect(options().slice(0, 2)).toEqual(['Praha 0001', 'Brno 0002'])
  await userEvent.keyboard('brno')
  await waitFor(() => expect(options()).toEqual(['Brno 0002Dlouhá 1', 'Brno 0003Dlouhá 1']))
  expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({ search: 'brno', pageSize: '20' })
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Brno 0003')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/devices/${guid(3)}/status`))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('pages that the user may open are offered, and Enter opens one', async () => {
  const { address } = await open()
  await search()
  const control = [
    'Overview',
    'Devices',
    'WaitingDevices',
    'InstallDevices',
    'VisitsDevices',
    'Locations',
    'Alerts',
    'IncidentsAlerts',
    'Maintenance windowsAlerts',
    'Analytics',
    'Light statementsAnalytics',
    'Proof of lightAnalytics',
    'Light rulesAnalytics',
    'EnergyAnalytics',
    'Panel lifeAnalytics',
    'Audit log',
  ]
  const administration = ['Alert Thresholds', 'Users', 'Single sign-onUsers', 'Roles', 'Profile']
  const settings = [
    'RoutesNotifications',
    'On-callNotifications',
    'ChannelsNotifications',
    'Customers',
    'Status pagesCustomers',
    'ReleasesDevice software',
    'RolloutsDevice software',
    'System',
  ]
  expect(optionsOf('Pages')).toEqual([...control, ...administration, ...settings, 'Overview in kiosk mode'])
  await userEvent.keyboard('alerts{Enter}')
  await waitFor(() => expect(screen.getByText('alerts')).toHaveFocus())
  expect(address()).toBe('/alerts')
})

test('the arrows go round, and say which option is meant', async () => {
  await open()
  await search()
  await userEvent.keyboard('{ArrowUp}')
  const last = screen.getAllByRole('option').at(-1)
  expect(last).toHaveTextContent('Logout')
  expect(screen.getByRole('combobox')).toHaveAttribute('aria-activedescendant', last?.id)
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Praha 0001')
})

test('on the page of a device its tabs and parts are offered, and what its page does, which asks as its button does', async () => {
  server.answer(getDevice, deviceOf({ guid: guid(1), modelId: 1, statusId: 2 }))
  const { address } = await open(`/devices/${guid(1)}/status`)
  await search()
  await screen.findByRole('group', { name: 'This device Praha 0001' })
  expect(optionsOf('This device Praha 0001')).toEqual([
    'Change the status to PairedThe device has this status.',
    'Change the status to Maintenance',
    'Change the status to Deactivated',
    'Change the status to Out of order',
    ...['Details', 'Setup', 'Status', 'Components', 'Alerts', 'Maintenance'],
    'Add a maintenance entry',
    'Close alerts of this device',
    'Add an alert threshold of this device',
    ...[
      'Display settings',
      'Ambient light sensor',
      'Turn display(s) off',
      'Brightness by time',
      'Battery test',
      'Data budget',
      'UPS',
      'Network switches',
      'Power switches',
    ],
    ...['Restart the Beaglebone', 'Restart the PC'],
    ...['Reboot UPS', 'Test the UPS battery', 'Reset UPS group 1', 'Reset UPS group 2', 'Shut down UPS'],
    ...['Reset Network switch 1', 'Reset Network switch 2'],
    ...['Turn on power switch 1', 'Turn off power switch 1', 'Reset power switch 1'],
    ...['Turn on power switch 2', 'Turn off power switch 2', 'Reset power switch 2'],
  ])
  const asked = server.requests.length
  await userEvent.keyboard('status paired{Enter}')
  expect(screen.getByRole('option', { name: /^Change the status to Paired/ })).toHaveAttribute('aria-disabled', 'true')
  await userEvent.clear(screen.getByRole('combobox'))
  await userEvent.keyboard('status maintenance{Enter}')
  await screen.findByRole('dialog', { name: 'Change status' })
  expect(server.requests.slice(asked).filter(({ method }) => method === 'POST')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await search('setup')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/devices/${guid(1)}/setup`))
})

test('what a device refuses now says why, and what is done elsewhere leads there and does it', async () => {
  server.answer(getDevice, deviceOf({ guid: guid(1), modelId: 1, connStatusId: 0 }))
  const { address } = await open(`/devices/${guid(1)}/status`)
  await search('reboot')
  const reboot = await screen.findByRole('option', { name: /Reboot UPS.*The device is offline/ })
  expect(reboot).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('combobox')).toBeVisible()
  await userEvent.clear(screen.getByRole('combobox'))
  await userEvent.keyboard('add role{Enter}')
  await waitFor(() => expect(address()).toBe('/roles'))
  await screen.findByRole('dialog', { name: 'Role in making' })
})

test('a question becomes the address of a list, shown before anybody follows it', async () => {
  server.answer(listCustomers, [{ id: 7, name: 'Acme' }])
  server.answer(listDevices, { rows: [], total: 0, next: null })
  const { address } = await open()
  await search('dark > 30 min in Lyon customer acme')
  const option = await screen.findByRole('option', { name: /Devices: unplanned dark/ })
  expect(option).toHaveTextContent('unplanned dark · wrong for 30 min or longer · place Lyon · customer Acme')
  expect(option).toHaveAttribute('href', '/devices?filter=dark&forMinutes=30&place=Lyon&customerId=7')
  expect(option).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/devices?filter=dark&forMinutes=30&place=Lyon&customerId=7'))
})

test('views are found by their names from any page, and not shown before anybody looks for one', async () => {
  const view: SavedView = {
    id: 7,
    name: 'Dark quays',
    content: { filter: { filter: 'dark', tags: ['quay'] }, columns: ['name', 'why'] },
    lost: null,
    isOwn: false,
    ownerName: 'Eva',
    share: null,
    shareName: '',
    mayChange: false,
  }
  server.answer(listViews, ({ values: { page } }) => ({ ...NO_VIEWS, views: page === 'devices' ? [view] : [] }))
  const { address } = await open()
  await search()
  expect(screen.queryByRole('group', { name: 'Views' })).toBeNull()
  await userEvent.keyboard('quay')
  await screen.findByRole('group', { name: 'Views' })
  expect(optionsOf('Views')).toEqual(['Open view Dark quaysDevices, by Eva'])
  await userEvent.click(screen.getByRole('option', { name: /Dark quays/ }))
  await waitFor(() =>
    expect(decodeURIComponent(address())).toBe('/devices?tags=["quay"]&filter=dark&sort=name&columns=name.why&view=7'),
  )
})

test('what of a question is not understood is named, with what would be', async () => {
  await open()
  await search('dark blah')
  const note = await screen.findByText(/I read/)
  expect(note.parentElement).toHaveTextContent(/I read: unplanned dark.*Not: blah.*since yesterday/)
  expect(screen.getByRole('option', { name: /Devices: unplanned dark/ })).toHaveAttribute(
    'href',
    '/devices?filter=dark',
  )
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})

test('keys lead to pages, to the filter and to the list of keys; none while somebody types or a dialog is open', async () => {
  const { address } = await open()
  await userEvent.keyboard('ga')
  await screen.findByText('alerts')
  expect(address()).toBe('/alerts')
  await userEvent.keyboard('go')
  expect(address()).toBe('/alerts')
  cleanup()
  const { address: again } = await open()
  await userEvent.keyboard('/')
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveFocus()
  await userEvent.keyboard('ga?')
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('ga?')
  await userEvent.click(document.body)
  await userEvent.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await userEvent.keyboard('ga{Control>}k{/Control}')
  expect(again()).toBe('/')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await userEvent.click(screen.getByRole('switch', { name: 'Keys without Ctrl' }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('?ga')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('textbox', { name: 'A field' })).toBeVisible()
})

test('what was closed and only fades away keeps the palette from nobody', async () => {
  await open()
  const popover = document.createElement('div')
  popover.setAttribute('role', 'dialog')
  document.body.append(popover)
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(screen.queryByRole('dialog', { name: 'Search and commands' })).toBeNull()
  popover.style.opacity = '0'
  await userEvent.keyboard('{Control>}k{/Control}brno')
  expect(await screen.findByRole('dialog', { name: 'Search and commands' })).toBeVisible()
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveValue('brno'))
  popover.remove()
})

test('an action is done, or opens its dialog', async () => {
  await open()
  await search('light theme')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(localStorage.getItem('wayside.theme')).toBe('white'))
  await search('dark theme')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(localStorage.getItem('wayside.theme')).toBe('dark'))
  await search('new')
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'Add device' })
})

test('nothing found is said, and Esc closes', async () => {
  server.answer(listDevices, { rows: [], total: 0, next: null })
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Search and commands' }))
  await userEvent.type(await screen.findByRole('combobox'), 'xyz')
  await screen.findByText('Nothing found')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('who may not open devices finds pages and actions, and no device is searched', async () => {
  signInAs({ roleFunctions: [3, 5] })
  await open()
  await search('brno')
  await screen.findByText('Nothing found')
  await userEvent.clear(screen.getByRole('combobox'))
  expect(screen.queryByRole('group', { name: 'Devices' })).toBeNull()
  expect(optionsOf('Pages')).toEqual(['Install', 'Analytics'])
  expect(options()).not.toContain('Add device')
  expect(server.requestsTo(listDevices)).toEqual([])
})

test('a question mark lists the keys, but not while somebody types it', async () => {
  await open()
  await userEvent.click(screen.getByRole('textbox', { name: 'A field' }))
  await userEvent.keyboard('what?')
  expect(screen.getByRole('textbox', { name: 'A field' })).toHaveValue('what?')
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.tab()
  await userEvent.keyboard('?')
  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(keys.getByText('Search and commands')).toBeVisible()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})

test('each word of the field finds first what it means here', async () => {
  await open()
  await search()
  const field = screen.getByRole('combobox')
  const wrong: string[] = []
  for (const [id, words] of Object.entries(SYNONYMS)) {
    for (const word of words.split(' ')) {
      fireEvent.change(field, { target: { value: word } })
      const first = options()[0]
      if (first !== firstHits[id]) wrong.push(`${word}: ${first}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the palette is accessible', async () => {
  await open()
  await search()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})
