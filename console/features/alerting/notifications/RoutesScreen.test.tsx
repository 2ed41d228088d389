import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listChannels } from '#contract/http/alerting/channels.ts'
import {
  listNotifyRoutes,
  notifyRoute,
  previewNotifyRoute,
  setNotifyRoute,
} from '#contract/http/alerting/notificationRoutes.ts'
import { listOnCallSchedules, onCallSchedule } from '#contract/http/alerting/onCall.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { listUsers } from '#contract/http/people/users.ts'
import { RoutesScreen } from './RoutesScreen.tsx'

const { server, open } = screenTest({ screens: { '/notifications/routes': RoutesScreen }, at: '/notifications/routes' })

const ROUTE = notifyRoute.parse({
  id: 1,
  name: 'Nights',
  isOn: true,
  customerId: null,
  customerName: '',
  severityId: 2,
  ofCustomerId: null,
  ofCustomerName: '',
  tag: 'VIP',
  hours: { weekdays: [0, 1, 2, 3, 4], from: '18:00', to: '08:00', timeZone: 'Europe/Prague' },
  steps: [
    { afterMinutes: 0, rotaId: 5, targetName: 'First line' },
    { afterMinutes: 15, channelId: 7, targetName: 'Ops room' },
  ],
  isDefault: false,
  mayChange: true,
})
const DEFAULT = notifyRoute.parse({
  ...ROUTE,
  id: 2,
  name: 'Alert e-mails',
  severityId: 3,
  tag: '',
  hours: null,
  steps: [{ afterMinutes: 0, readers: true, targetName: 'Everybody with alert e-mails', readerCount: 2 }],
  isDefault: true,
})
const SCHEDULE = onCallSchedule.parse({
  id: 5,
  name: 'First line',
  customerId: null,
  customerName: '',
  timeZone: 'Europe/Prague',
  firstDay: '2026-11-01',
  handOver: '08:00',
  everyDays: 7,
  members: [{ userId: 2, name: 'Ada', channelId: null }],
  overrides: [],
  onCall: { userId: 2, name: 'Ada', until: '2026-11-30T07:00:00.000Z' },
  next: { userId: 3, name: 'Bob', from: '2026-11-30T07:00:00.000Z' },
})
const CHANNEL = {
  id: 7,
  name: 'Ops room',
  kind: 'slack' as const,
  customerId: null,
  customerName: '',
  settings: { address: '', recipient: 'C1', user: '', issueType: '', transitionId: '' },
  hasSecret: true,
  secretHost: '',
  awaitsRecipient: false,
  oldKeyUntil: null,
  inbound: null,
  mostPerHour: 30,
  quiet: null,
  isOn: true,
  lastAt: null,
  lastOutcome: null,
  failure: '',
  restsUntil: null,
  waiting: 0,
}

beforeEach(() => {
  server.answer(listNotifyRoutes, [ROUTE])
  server.answer(listOnCallSchedules, [SCHEDULE])
  server.answer(listChannels, [CHANNEL])
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listUsers, { rows: [], total: 0, next: null })
  server.answer(previewNotifyRoute, { activeIncidents: 3 })
  server.answer(setNotifyRoute, 1)
})

test('routes say which incidents they tell whom', async () => {
  const { container } = await open()
  expect(await screen.findByRole('row', { name: /^Nights/ })).toHaveTextContent(
    'When warning or worse, tag VIP, Mon–Fri 18:00–08:00 (next day), Europe/Prague → notify First line, after 15 min Ops room',
  )
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('the default says how many it mails and what it applies to, and can be changed but not deleted', async () => {
  server.answer(listNotifyRoutes, [DEFAULT, ROUTE])
  await open()
  const row = within(
    await screen.findByRole('row', {
      name: /When any severity → notify E-mail to 2 people whose role receives notifications Applies to every incident, also where no other route matches\. On · default/,
    }),
  )
  expect(row.queryByRole('button', { name: 'Delete Alert e-mails' })).toBeNull()
  expect(row.getByRole('button', { name: 'Edit Alert e-mails' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Delete Nights' })).toBeVisible()
})

test.each([
  [{ isOn: false }, 'Switched off: an incident that no other route matches notifies nobody.'],
  [{ severityId: 1 }, 'An incident that no route matches notifies nobody.'],
])('a default that is narrowed by %o says what applies then', async (changes, says) => {
  server.answer(listNotifyRoutes, [{ ...DEFAULT, ...changes }])
  await open()
  await screen.findByText(says)
})

test('a customer reads the default of staff, which they cannot change', async () => {
  server.answer(listNotifyRoutes, [{ ...DEFAULT, mayChange: false }])
  await open()
  await screen.findByRole('row', { name: /E-mail to 2 people/ })
  expect(screen.queryByRole('link', { name: 'Alert e-mails' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit Alert e-mails' })).toBeNull()
})

test('the name of a route is a link that opens it, and closing it leads back to the list', async () => {
  await open()
  const name = await screen.findByRole('link', { name: 'Nights' })
  expect(name).toHaveAttribute('href', '/notifications/routes?shown=1')
  await userEvent.click(name)
  const form = within(await screen.findByRole('dialog', { name: 'Edit route' }))
  expect(await form.findByRole('textbox', { name: /^Name/ })).toHaveValue('Nights')
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a route is made of steps, each later than the one before', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add route' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add route' }))
  await userEvent.type(await form.findByRole('textbox', { name: /^Name/ }), 'All')
  expect((await form.findByRole('button', { name: 'Save' })).hasAttribute('disabled')).toBe(true)
  await userEvent.click(await form.findByRole('combobox', { name: 'Recipient of step 1' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Ops room' }))
  await userEvent.click(await form.findByRole('button', { name: 'Add step' }))
  await userEvent.click(await form.findByRole('combobox', { name: 'Recipient of step 2' }))
  await userEvent.click((await screen.findAllByRole('option', { name: 'First line' })).at(-1) as HTMLElement)
  await form.findByText(/3 incidents without an owner match now/)
  await userEvent.click(form.getByRole('switch', { name: /Also notify about active incidents/ }))
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setNotifyRoute)).toHaveLength(1))
  expect(server.requestsTo(setNotifyRoute)[0]?.values).toMatchObject({
    id: 0,
    name: 'All',
    severityId: 2,
    hours: null,
    tellsActive: true,
    steps: [
      { afterMinutes: 0, channelId: 7 },
      { afterMinutes: 15, rotaId: 5 },
    ],
  })
}, 60_000)

test('the route of alert e-mails is one of them, and stays what it is when its severity is changed', async () => {
  server.answer(listNotifyRoutes, [
    {
      ...ROUTE,
      name: 'Alert e-mails',
      tag: '',
      hours: null,
      steps: [{ afterMinutes: 0, readers: true, targetName: 'Everybody with alert e-mails' }],
    },
  ])
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Alert e-mails' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit route' }))
  expect(await form.findByRole('combobox', { name: 'Recipient of step 1' })).toHaveValue('Everybody with alert e-mails')
  await userEvent.click(await form.findByRole('combobox', { name: /^Severity/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Critical' }))
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setNotifyRoute)).toHaveLength(1))
  expect(server.requestsTo(setNotifyRoute)[0]?.values).toMatchObject({
    severityId: 1,
    steps: [{ afterMinutes: 0, readers: true }],
  })
}, 60_000)
