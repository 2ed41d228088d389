import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { type ContractServer, startContractServer } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { renderScreens, signInAs } from '#console/testing/renderScreens.tsx'
import { listDevices } from '#contract/http/device.ts'
import { DeviceSwitcher } from './DeviceSwitcher.tsx'

let server: ContractServer
const guid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

beforeEach(async () => {
  localStorage.clear()
  localStorage.setItem(
    'wayside.viewHistory.1',
    JSON.stringify([
      { guid: guid(1), name: 'Praha 0001' },
      { guid: guid(2), name: 'Brno 0002' },
    ]),
  )
  server = await startContractServer()
  signInAs()
  server.answer(listDevices, {
    rows: [
      deviceOf({ id: 2, guid: guid(2), name: 'Brno 0002' }),
      deviceOf({ id: 3, guid: guid(3), name: 'Brno 0003' }),
    ],
    total: 2,
    next: null,
  })
})
afterEach(async () => {
  cleanup()
  await server.stop()
})

const open = () =>
  renderScreens({ '/': DeviceSwitcher, '/devices/$guid/status': () => <p>a device</p> }, '/', server.url)
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

test('Ctrl K, a few letters, an arrow and Enter lead to a device', async () => {
  const { address } = await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox')
  await waitFor(() => expect(field).toHaveFocus())
  expect(options()).toEqual(['Praha 0001', 'Brno 0002'])
  await userEvent.keyboard('brno')
  await waitFor(() => expect(options()).toEqual(['Brno 0002Dlouhá 1', 'Brno 0003Dlouhá 1']))
  expect(server.requestsTo(listDevices).at(-1)?.values).toMatchObject({ deviceName: 'brno', pageSize: '20' })
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Brno 0003')
  await userEvent.keyboard('{Enter}')
  await screen.findByText('a device')
  expect(address()).toBe(`/devices/${guid(3)}/status`)
})

test('nothing found is said, and Esc closes', async () => {
  server.answer(listDevices, { rows: [], total: 0, next: null })
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Go to a device' }))
  await userEvent.type(await screen.findByRole('combobox'), 'xyz')
  await screen.findByText('Nothing found')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('who may not open devices has no switcher', async () => {
  signInAs({ roleFunctions: [5] })
  await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the switcher is accessible', async () => {
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Go to a device' }))
  await screen.findAllByRole('option')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
})
