import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { roleOf } from '#console/testing/userOf.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import {
  deleteSignInProvider,
  listSignInProviders,
  setSignInProvider,
  signInProvider,
} from '#contract/http/people/singleSignOn.ts'
import { ProvidersScreen } from './ProvidersScreen.tsx'

const { server, open } = screenTest({ screens: { '/single-sign-on': ProvidersScreen }, at: '/single-sign-on' })

const CITY = signInProvider.parse({
  id: 4,
  name: 'City ID',
  issuer: 'https://id.city.example',
  clientId: 'wayside',
  customerId: 3,
  customerName: 'City',
  domains: ['city.example'],
  roleClaim: 'groups',
  roleRules: [{ value: 'field', roleId: 5 }],
  redirectId: '4',
  trustsMail: false,
  isRequired: true,
  isOn: true,
  userCount: 12,
})
const listed = (providers: object[]) => ({ callback: 'https://wayside.example/signed-in', providers }) as never

beforeEach(() => {
  server.answer(listSignInProviders, listed([CITY]))
  server.answer(listRoles, [roleOf(), roleOf({ id: 5, name: 'Analyst', functions: 'Analytics' })])
  server.answer(listCustomers, [{ id: 3, name: 'City' }])
  server.answer(setSignInProvider, 4)
  server.answer(deleteSignInProvider, {})
})

test('providers are listed with whose users come by them', async () => {
  const { container } = await open()
  const table = await screen.findByRole('table', { name: 'Identity providers' })
  expect(within(table).getByText('The only way in')).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Delete City ID' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(server.requestsTo(deleteSignInProvider).map(({ values }) => values)).toEqual([{ id: 4 }]))
})

test('what settings make of somebody is seen before they are saved; a secret that is not typed stays', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit City ID' }))
  const dialog = await screen.findByRole('dialog')
  const form = within(dialog)
  expect(form.getByText('https://wayside.example/signed-in/4')).toBeVisible()
  const claims = form.getByLabelText(/Test with sample claims/)
  const paste = async (text: string) => {
    await userEvent.clear(claims)
    await userEvent.click(claims)
    await userEvent.paste(text)
  }
  await paste('{ "email": "ann@city.example", "email_verified": true, "groups": ["staff", "field"] }')
  await form.findByText('People with these claims get the role "Analyst".')
  await paste('{ "email": "ann@city.example", "email_verified": false, "groups": "staff" }')
  await form.findByText(/No rule matches/)
  expect(form.getByText(/not verified/)).toBeVisible()
  await paste('nothing')
  await form.findByText('This is no JSON object.')
  expect(await axeFindings(dialog)).toEqual([])
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { customerName: _, userCount: __, ...sent } = CITY
  expect(server.requestsTo(setSignInProvider).map(({ values }) => values)).toEqual([sent])
}, 60_000)

test('where there are none it says what they are for; a new one needs a secret', async () => {
  server.answer(listSignInProviders, listed([]))
  await open()
  await screen.findByText('There are no identity providers')
  await userEvent.click(screen.getByRole('button', { name: 'Add provider' }))
  const form = within(await screen.findByRole('dialog'))
  expect(form.getByText(/^https:\/\/wayside\.example\/signed-in\/[\da-f-]{36}$/)).toBeVisible()
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText('Client secret is required')
  expect(server.requestsTo(setSignInProvider)).toEqual([])
}, 60_000)
