import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { type ApiToken, createApiToken, listApiTokens, revokeApiToken } from '#contract/http/people/apiTokens.ts'
import type { UserId } from '#domain/ids.ts'
import { ApiTokensModal } from './ApiTokensModal.tsx'

const Shown = () => <ApiTokensModal isOpen onClose={() => undefined} />
const { server, open } = screenTest({ screens: { '/here': Shown }, at: '/here' })

const SECRET = `way_${'x'.repeat(43)}`
const token: ApiToken = {
  id: 7,
  name: 'Wall screen',
  beginning: 'way_abcd',
  scopes: ['devices.read', 'alerts.read'],
  userId: 1 as UserId,
  username: 'eva@example.com',
  isMachine: false,
  makerName: 'eva@example.com',
  customerId: null,
  customerName: '',
  withFreshFactor: false,
  created: '2026-11-01T10:00:00.000Z',
  expires: '2027-02-01T10:00:00.000Z',
  lastUsed: null,
  state: 'usable',
  isOwn: true,
}

beforeEach(() => {
  server.answer(listApiTokens, [token])
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
})

test('a token is made for what was ticked, and shown once', async () => {
  server.answer(createApiToken, { id: 8, token: SECRET })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Create token' }))
  const form = within(await screen.findByRole('form', { name: 'New API token' }))
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Ticket bridge')
  await userEvent.click(form.getByRole('checkbox', { name: 'Change alerts' }))
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  await screen.findByText(SECRET)
  expect(server.requestsTo(createApiToken).map(({ values }) => values)).toEqual([
    {
      name: 'Ticket bridge',
      expiresInDays: 90,
      scopes: ['devices.read', 'alerts.change'],
      customerId: null,
      withFreshFactor: false,
    },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'I have copied it' }))
  await screen.findByText('Wall screen')
  expect(screen.queryByText(SECRET)).toBeNull()
})

test('who it is, what it may and when it was used stand in the list, and revoking asks first', async () => {
  server.answer(revokeApiToken, {})
  await open()
  await screen.findByText('Read devices, Read alerts')
  screen.getByText(/Never used · until/)
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Wall screen' }))
  expect(server.requestsTo(revokeApiToken)).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('The API token “Wall screen” is revoked.')
  expect(server.requestsTo(revokeApiToken).map(({ values }) => values)).toEqual([{ id: 7 }])
})

test('admins see those of everybody, with whose they are; others only their own', async () => {
  const blocked: ApiToken = {
    ...token,
    isMachine: true,
    isOwn: false,
    username: 'bridge@city.example',
    state: 'blocked',
  }
  server.answer(listApiTokens, ({ values }) => ('all' in values ? [blocked] : []))
  await open()
  await screen.findByText('No API tokens yet')
  await userEvent.click(screen.getByText('All users'))
  await screen.findByText('Machine bridge@city.example, made by eva@example.com')
  screen.getByText('Blocked')
  signInAs({ roleFunctions: [8], isAdmin: false, isDeviceManager: false, isAnalyticsUser: false })
  await screen.findByText('No API tokens yet')
  expect(screen.queryByText('All users')).toBeNull()
})
