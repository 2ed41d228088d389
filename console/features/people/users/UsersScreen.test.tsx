import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { roleOf, userOf } from '#console/testing/userOf.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { sendRegistrationEmail } from '#contract/http/people/account.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import { listUsers, setUser } from '#contract/http/people/users.ts'
import { UsersScreen } from './UsersScreen.tsx'

const { server, open: draw } = screenTest({ screens: { '/users': UsersScreen } })

beforeEach(() => {
  const rows = [
    userOf(),
    userOf({
      id: 8,
      username: 'new@example.com',
      firstName: '',
      password: 'pending',
      customerName: 'City',
      customerId: 3,
    }),
    userOf({ id: 9, username: 'gone@example.com', firstName: 'Gustav', isDisabled: true }),
  ]
  server.answer(listUsers, { rows, total: 3, next: null })
  server.answer(listRoles, [roleOf(), roleOf({ id: 5, name: 'Analyst', functions: 'Analytics' })])
  server.answer(listCustomers, [
    { id: 3, name: 'City' },
    { id: 4, name: 'Closed', isActive: false },
  ])
  server.answer(setUser, 12)
  server.answer(sendRegistrationEmail, 'ada@example.com')
})

const open = async (at = '/users') => {
  const view = await draw(at)
  await screen.findByRole('row', { name: /marta@example.com/ })
  return view
}
const lastQuery = () => server.requestsTo(listUsers).at(-1)?.values
async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add user' }))
  return within(await screen.findByRole('dialog', { name: 'Add user' }))
}
async function choose(form: ReturnType<typeof within>, field: RegExp, option: string) {
  await userEvent.click(await form.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('the list says who may sign in, and Details leads to the page of a user', async () => {
  const { address, container } = await open()
  await screen.findByText('Marta Horáková')
  expect(await screen.findByRole('row', { name: /new@example.com.*City.*No password yet/ })).toBeVisible()
  expect(await screen.findByRole('row', { name: /gone@example.com.*Staff.*Disabled/ })).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(await screen.findByRole('link', { name: 'Details of marta@example.com' }))
  await waitFor(() => expect(decodeURIComponent(address())).toContain('/users/user-details?data={"id":7}'))
}, 60_000)

test('the filter by e-mail stands in the address and goes to the server; Reset takes it away', async () => {
  const { address } = await open()
  await userEvent.type(await screen.findByRole('textbox', { name: 'Email' }), ' marta{Enter}')
  await waitFor(() => expect(lastQuery()).toMatchObject({ email: 'marta', sort: 'username', rowNum: '1' }))
  expect(address()).toBe('/users?email=marta')
  await userEvent.click(await screen.findByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(address()).toBe('/users'))
})

test('a heading sorts at the server', async () => {
  await open('/users?email=a&page=2')
  await userEvent.click(await screen.findByRole('button', { name: /User role/ }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ sort: 'role', descending: 'false', email: 'a', rowNum: '1' }))
})

test('a new user: the address for notifications is copied, the body is complete, the activation email goes out', async () => {
  await open()
  const form = await openForm()
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await form.findByText('Email is required')
  await form.findByText('User role is required')
  await userEvent.type(await form.findByRole('textbox', { name: /^Email$/ }), 'ada')
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await form.findByText('This field Email is not a valid email.')
  await userEvent.type(await form.findByRole('textbox', { name: /^Email$/ }), '@example.com')
  await userEvent.type(await form.findByRole('textbox', { name: 'First name' }), 'Ada')
  await waitFor(() =>
    expect(form.getByRole('textbox', { name: 'Email (notifications)' })).toHaveValue('ada@example.com'),
  )
  await choose(form, /User role/, 'Analyst')
  await choose(form, /Customer/, 'City')
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await screen.findByText('Registration email sent to ada@example.com')
  expect(server.requestsTo(setUser).map(({ values }) => values)).toEqual([
    {
      username: 'ada@example.com',
      firstName: 'Ada',
      lastName: '',
      email: 'ada@example.com',
      customerId: 3,
      roleId: 5,
    },
  ])
  expect(server.requestsTo(sendRegistrationEmail)[0]?.values).toEqual({ id: 12 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}, 60_000)

test('a copied address may be another one, and no email goes out unasked', async () => {
  await open()
  const form = await openForm()
  await userEvent.type(await form.findByRole('textbox', { name: 'Email (notifications)' }), 'post@example.com')
  await userEvent.type(await form.findByRole('textbox', { name: /^Email$/ }), 'ada@example.com')
  await choose(form, /User role/, 'Analyst')
  await userEvent.click(await form.findByRole('checkbox', { name: 'Send activation email' }))
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await screen.findByText('The user is saved.')
  expect(server.requestsTo(setUser)[0]?.values).toMatchObject({ email: 'post@example.com', customerId: null })
  expect(server.requestsTo(sendRegistrationEmail)).toEqual([])
}, 60_000)

test('a username that is taken is told beside its field; an answer without an id is told in its own words (rules/messages 5)', async () => {
  await open()
  const form = await openForm()
  server.answer(setUser, new Refusal('username_taken'))
  await userEvent.type(await form.findByRole('textbox', { name: /^Email$/ }), 'marta@example.com')
  await choose(form, /User role/, 'Analyst')
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await form.findByText('There is a user with this username already.')
  server.answer(setUser, 0)
  await userEvent.click(await form.findByRole('button', { name: 'Add user' }))
  await screen.findByText('There was no error but User Id was not returned. Please, try again.')
  expect(screen.getByRole('dialog', { name: 'Add user' })).toBeVisible()
}, 60_000)

test('nobody is added to a deactivated customer, and customer users choose none', async () => {
  await open()
  const form = await openForm()
  await userEvent.click(await form.findByRole('combobox', { name: /Customer/ }))
  await screen.findByRole('option', { name: 'City' })
  expect(screen.queryByRole('option', { name: 'Closed' })).toBeNull()
  cleanup()
  signInAs({ customerId: 3 })
  await open()
  const theirs = await openForm()
  await theirs.findByRole('combobox', { name: /User role/ })
  expect(theirs.queryByRole('combobox', { name: /Customer/ })).toBeNull()
  expect(screen.queryByRole('columnheader', { name: /Customer/ })).toBeNull()
}, 60_000)
