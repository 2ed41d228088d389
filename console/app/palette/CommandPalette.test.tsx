import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { getDevice, listDevices } from '#contract/http/device.ts'
import { CommandPalette } from './CommandPalette.tsx'

const { server, open } = screenTest({
  screens: { '/': Page, '/alerts': () => <p>alerts</p>, '/devices/$guid/status': Page },
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
})

/** A page with a field, and with the parts of a device that the palette leads to. */
function Page() {
  return (
    <main>
      <CommandPalette />
      <input aria-label="A field" />
      <button type="button" className="status-menu">
        Status
      </button>
    </main>
  )
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
  const control = ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log']
  const administration = ['Alert Thresholds', 'Users', 'Roles', 'Customers', 'Client software', 'Client updates']
  expect(optionsOf('Pages')).toEqual([...control, ...administration, 'Profile'])
  await userEvent.keyboard('alerts{Enter}')
  await screen.findByText('alerts')
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

test('on the page of a device its tabs are offered, and what changes it only leads to its place', async () => {
  server.answer(getDevice, deviceOf({ guid: guid(1), modelId: 22 }))
  const { address } = await open(`/devices/${guid(1)}/status`)
  await search()
  await screen.findByRole('group', { name: 'This device Praha 0001' })
  expect(optionsOf('This device Praha 0001')).toEqual([
    'Details',
    'Setup',
    'Status',
    'Components',
    'Alerts',
    'Maintenance',
    'Change the status',
    'Settings of this device',
  ])
  const asked = server.requests.length
  await userEvent.keyboard('maintenance change{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Status' })).toHaveFocus())
  expect(server.requests.slice(asked).filter(({ method }) => method === 'POST')).toEqual([])
  await search('setup')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/devices/${guid(1)}/generic-setup`))
})

test('an action is done, or opens its dialog', async () => {
  await open()
  await search('light')
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
  expect(optionsOf('Pages')).toEqual(['Analytics'])
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
  expect(keys.getByText('Search devices, pages and actions')).toBeVisible()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})

test('the palette is accessible', async () => {
  await open()
  await search()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})
