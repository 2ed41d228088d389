import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import {
  channel,
  delivery,
  listChannels,
  listDeliveries,
  replayDelivery,
  rotateSigningKey,
  setChannel,
  setInbound,
  testChannel,
} from '#contract/http/alerting/channels.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { ChannelsScreen } from './ChannelsScreen.tsx'

const { server, open } = screenTest({
  screens: { '/notifications/channels': ChannelsScreen },
  at: '/notifications/channels',
})
const AT = '2026-11-24T10:00:00.000Z'

const channelOf = (changes: object = {}) =>
  channel.parse({
    id: 1,
    name: 'Ops room',
    kind: 'slack',
    customerId: null,
    customerName: '',
    settings: { address: '', recipient: 'C0123', user: '', issueType: '', transitionId: '' },
    hasSecret: true,
    secretHost: '',
    awaitsRecipient: false,
    oldKeyUntil: null,
    inbound: null,
    mostPerHour: 30,
    quiet: null,
    isOn: true,
    lastAt: AT,
    lastOutcome: 'done',
    failure: '',
    restsUntil: null,
    waiting: 0,
    ...changes,
  })
const NO_SETTINGS = { address: '', recipient: '', user: '', issueType: '', transitionId: '' }
const HOOK = channelOf({
  id: 2,
  name: 'Hook',
  kind: 'webhook',
  settings: NO_SETTINGS,
  secretHost: 'hooks.example',
  failure: 'HTTP 503',
  lastOutcome: 'later',
  waiting: 7,
})

beforeEach(() => {
  server.answer(listChannels, [channelOf(), HOOK])
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(setChannel, { id: 9, signingKey: null })
  server.answer(testChannel, {
    isTaken: false,
    status: 403,
    answer: '<b>no</b>',
    reason: 'HTTP 403: <b>no</b>',
    tookMs: 20,
  })
  server.answer(rotateSigningKey, { signingKey: 'whsec_new', oldKeyUntil: AT })
  server.answer(replayDelivery, {})
  server.answer(listDeliveries, [
    delivery.parse({
      id: 1,
      kind: 'message',
      at: AT,
      incidentId: 77,
      toldCount: 1,
      outcome: 'refused',
      status: 400,
      tookMs: 12,
      answer: 'bad',
      reason: 'HTTP 400: bad',
    }),
  ])
})

test('the list says where each leads and whether it works, and never a secret', async () => {
  const { container } = await open()
  await screen.findByRole('row', { name: /Ops room Slack C0123 Staff On Delivered .* ago/ })
  const hook = await screen.findByRole('row', { name: /Hook Webhook hooks.example Staff Failing Failed .* 7/ })
  expect(within(hook).getByTitle(/to hooks\.example\. HTTP 503$/)).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('a channel is asked for what its kind needs, and a new webhook shows its key once', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add channel' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add channel' }))
  await userEvent.type(await form.findByRole('textbox', { name: /^Name/ }), 'Our hook')
  await userEvent.type(await form.findByLabelText(/^Address/), 'hooks.example')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('Address must be a whole address that begins with https://')
  await userEvent.clear(form.getByLabelText(/^Address/))
  await userEvent.type(form.getByLabelText(/^Address/), 'https://hooks.example/abc')
  server.answer(setChannel, { id: 9, signingKey: 'whsec_first' })
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await screen.findByText('whsec_first')
  expect(server.requestsTo(setChannel).at(-1)?.values).toMatchObject({
    id: 0,
    name: 'Our hook',
    kind: 'webhook',
    secret: 'https://hooks.example/abc',
    settings: NO_SETTINGS,
    mostPerHour: 30,
    quiet: null,
  })
}, 60_000)

test('an edited channel keeps its secret where none is typed', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Ops room' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit channel' }))
  await userEvent.click(await form.findByRole('switch', { name: 'Quiet hours' }))
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setChannel)).toHaveLength(1))
  const sent = server.requestsTo(setChannel)[0]?.values
  expect(sent).toMatchObject({ id: 1, kind: 'slack', quiet: { from: '22:00', tellsCritical: true } })
  expect(sent).not.toHaveProperty('secret')
}, 60_000)

test('a channel that goes to another address is given its secret anew', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Ops room' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit channel' }))
  await userEvent.type(form.getByLabelText(/^Address/), 'https://slack.example/api')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('Bot token must be entered again, because it would go to another address')
  expect(server.requestsTo(setChannel)).toHaveLength(0)
  await userEvent.type(form.getByLabelText(/^Bot token/), 'xoxb-2')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setChannel)).toHaveLength(1))
}, 60_000)

test('a mail channel whose address has not confirmed says so', async () => {
  server.answer(listChannels, [channelOf({ kind: 'mail', name: 'Desk', awaitsRecipient: true, failure: 'later' })])
  await open()
  const state = await screen.findByText('Not confirmed')
  expect(state.title).toContain('once it is confirmed')
}, 60_000)

test('a test shows what the other side said, as text', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Send test to Ops room' }))
  await screen.findByText('HTTP 403: <b>no</b> (20 ms)')
  await screen.findByText('<b>no</b>')
  expect(server.requestsTo(testChannel)).toHaveLength(1)
}, 60_000)

test('what was told is listed, and told anew', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Ops room' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Deliveries' }))
  await screen.findByRole('row', { name: /Incident 77 Refused400 HTTP 400: bad|Incident 77/ })
  await userEvent.click(await screen.findByRole('button', { name: 'Send again incident 77' }))
  await screen.findByText('The message is sent again.')
  expect(server.requestsTo(replayDelivery)[0]?.values).toEqual({ id: 1, incidentId: 77 })
}, 60_000)

test('a delivery that failed looks failed in the list, and a channel that sent nothing says so', async () => {
  server.answer(listChannels, [channelOf({ lastOutcome: 'refused' }), channelOf({ id: 3, name: 'New', lastAt: null })])
  await open()
  expect(await screen.findByText('Refused')).toHaveClass('badge-crit')
  await screen.findByRole('row', { name: /New .* Nothing sent yet/ })
})

test('a link to a channel opens it over the list', async () => {
  await open('/notifications/channels?shown=2')
  const form = within(await screen.findByRole('dialog', { name: 'Edit channel' }))
  expect(await form.findByRole('textbox', { name: /^Name/ })).toHaveValue('Hook')
})

test('a new key to sign by is shown after a question', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Hook' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'New signing key' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('whsec_new')
}, 60_000)

test('the other side of a channel is heard by an address and a key that is shown once, and no longer', async () => {
  server.answer(setInbound, ({ values }) =>
    values.isOn
      ? { address: 'https://signs.example/inbound/1', signingKey: 'whsec_inbound' }
      : { address: '', signingKey: null },
  )
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Hook' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Incoming webhook' }))
  const dialog = await screen.findByRole('dialog', { name: 'Incoming webhook of Hook' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Enable' }))
  await within(dialog).findByText('whsec_inbound')
  expect(within(dialog).getByText('https://signs.example/inbound/1')).toBeTruthy()
  expect(await axeFindings(dialog)).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Disable' }))
  await within(dialog).findByRole('button', { name: 'Enable' })
  expect(server.requestsTo(setInbound).map(({ values }) => values)).toEqual([
    { id: 2, isOn: true },
    { id: 2, isOn: false },
  ])
}, 60_000)
