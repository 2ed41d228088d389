import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listStatusPages, rotateStatusAddress, setStatusPage, statusPage } from '#contract/http/alerting/statusPages.ts'
import { StatusPagesScreen } from './StatusPagesScreen.tsx'

const { server, open } = screenTest({ screens: { '/status-pages': StatusPagesScreen }, at: '/status-pages' })
const SECRET = `https://signs.example/status/${'abcdefg'.repeat(6)}h`

const pageOf = (changes: object = {}) =>
  statusPage.parse({
    customerId: 3,
    customerName: 'City Media',
    mode: 'off',
    address: '',
    slug: '',
    title: 'City Media',
    note: '',
    tag: '',
    placePrefix: '',
    severityId: 2,
    showsPlanned: true,
    takesSubscribers: true,
    deviceCount: 12,
    subscriberCount: 0,
    ...changes,
  })

beforeEach(() => {
  server.answer(listStatusPages, [
    pageOf(),
    pageOf({ customerId: 4, customerName: 'Harbour', mode: 'secret', address: SECRET, subscriberCount: 5 }),
  ])
  server.answer(setStatusPage, { address: 'https://signs.example/status/city' })
  server.answer(rotateStatusAddress, { address: SECRET })
})

test('the list says who sees what, without spelling out a secret address', async () => {
  const { container } = await open()
  await screen.findByRole('row', { name: /City Media Off – City Media All 12 active 0/ })
  const row = await screen.findByRole('row', { name: /Harbour Secret address/ })
  expect(row.textContent).toContain('/status/abcdef…')
  expect(row.textContent).not.toContain('abcdefga')
  expect(within(row).getByRole('link', { name: 'Open the status page of Harbour' }).getAttribute('href')).toBe(SECRET)
  expect(await axeFindings(container)).toEqual([])
})

test('a public page needs a name in its address; what it shows is sent as a whole', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit City Media' }))
  const form = within(await screen.findByRole('dialog', { name: 'Status page of City Media' }))
  await userEvent.click(await form.findByRole('combobox', { name: 'Who sees it' }))
  await userEvent.click(await screen.findByRole('option', { name: /Public/ }))
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText(/must be 3 to 40 small letters/)
  await userEvent.type(form.getByRole('textbox', { name: /Name in the address/ }), 'city')
  await userEvent.type(form.getByRole('textbox', { name: /Places/ }), 'city:')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setStatusPage)).toHaveLength(1))
  expect(server.requestsTo(setStatusPage)[0]?.values).toEqual({
    customerId: 3,
    mode: 'public',
    slug: 'city',
    title: 'City Media',
    note: '',
    tag: '',
    placePrefix: 'city:',
    severityId: 2,
    showsPlanned: true,
    takesSubscribers: true,
  })
}, 60_000)

test('another address asks first, and says how many subscriptions end', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'New address Harbour' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New address' }))
  expect(dialog.getByText(/all 5 subscriptions of it end/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /New address|Confirm|OK|Yes/ }))
  await waitFor(() => expect(server.requestsTo(rotateStatusAddress)).toHaveLength(1))
}, 60_000)
