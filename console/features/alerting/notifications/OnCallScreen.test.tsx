import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listChannels } from '#contract/http/alerting/channels.ts'
import { listOnCallSchedules, onCallSchedule, setOnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { listUsers } from '#contract/http/people/users.ts'
import { OnCallScreen } from './OnCallScreen.tsx'

const { server, open } = screenTest({
  screens: { '/notifications/on-call': OnCallScreen },
  at: '/notifications/on-call',
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

beforeEach(() => {
  server.answer(listOnCallSchedules, [SCHEDULE])
  server.answer(listChannels, [])
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listUsers, { rows: [], total: 0, next: null })
  server.answer(setOnCallSchedule, 5)
})

test('schedules say who is on call now', async () => {
  const { container } = await open()
  await screen.findByRole('row', { name: /First line Ada, until .* Bob Every 7 days at 08:00, Europe\/Prague/ })
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('an edited schedule keeps its members', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit First line' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit on-call schedule' }))
  const handOver = await form.findByRole('textbox', { name: 'Hand-over' })
  await userEvent.clear(handOver)
  await userEvent.type(handOver, '9:30')
  await userEvent.tab()
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setOnCallSchedule)).toHaveLength(1))
  expect(server.requestsTo(setOnCallSchedule)[0]?.values).toMatchObject({
    id: 5,
    handOver: '09:30',
    members: [{ userId: 2, channelId: null }],
  })
}, 60_000)
