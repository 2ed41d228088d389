import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listCountries } from '#contract/http/operation/lookups.ts'
import {
  type CustomerRecord,
  customerRecord,
  listCustomerRecords,
  setCustomer,
} from '#contract/http/people/customers.ts'
import { CustomersScreen } from './CustomersScreen.tsx'

const { server, open: draw } = screenTest({ screens: { '/customers': CustomersScreen }, at: '/customers' })
let kept: CustomerRecord[]

const customerOf = (changes: object = {}) =>
  customerRecord.parse({
    id: 3,
    name: 'City Media',
    countryId: 1,
    countryName: 'Czechia',
    isActive: true,
    keptDays: null,
    devices: 4,
    activeUsers: 2,
    created: '2026-11-01T10:00:00.000Z',
    ...changes,
  })

beforeEach(() => {
  kept = [customerOf(), customerOf({ id: 4, name: 'Old Signs', countryId: null, countryName: '', isActive: false })]
  server.answer(listCustomerRecords, () => kept)
  server.answer(listCountries, [
    { id: 1, name: 'Czechia' },
    { id: 2, name: 'Norway' },
  ])
  server.answer(setCustomer, ({ values }) => {
    kept = kept.map((one) => (one.id === values.id ? customerOf({ ...one, ...values }) : one))
    return 3
  })
})

const open = async () => {
  const view = await draw()
  await screen.findByRole('row', { name: /City Media Czechia 4 2 Active/ })
  return view
}
const sent = () => server.requestsTo(setCustomer).map(({ values }) => values)

test('the list says what customers have, and is filtered by name', async () => {
  const { container } = await open()
  await screen.findByRole('row', { name: /Old Signs – 4 2 Deactivated/ })
  expect(await axeFindings(container)).toEqual([])
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'CITY{Enter}')
  await waitFor(() => expect(screen.queryByRole('row', { name: /Old Signs/ })).toBeNull())
}, 60_000)

test('a customer is added with name and country; the name is required, and told when it is taken', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add customer' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add customer' }))
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('Name is required')
  await userEvent.type(await form.findByRole('textbox', { name: /Name/ }), 'Nordlys')
  await userEvent.click(await form.findByRole('combobox', { name: 'Country' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Norway' }))
  server.answer(setCustomer, new Refusal('customer_name_taken'))
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('There is a customer with this name already.')
  server.answer(setCustomer, 9)
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await screen.findByText('The customer is saved.')
  expect(sent().at(-1)).toEqual({ id: 0, name: 'Nordlys', countryId: 2, keptDays: null })
}, 60_000)

test('an edited customer keeps its state', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit City Media' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit customer' }))
  await userEvent.type(await form.findByRole('textbox', { name: /Name/ }), ' 2')
  await userEvent.type(await form.findByRole('textbox', { name: /Keep data for/ }), '30')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await form.findByText('Keep data for (days) is not valid')
  await userEvent.clear(await form.findByRole('textbox', { name: /Keep data for/ }))
  await userEvent.type(await form.findByRole('textbox', { name: /Keep data for/ }), '400')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await screen.findByRole('row', { name: /City Media 2/ })
  expect(sent()).toEqual([{ id: 3, name: 'City Media 2', countryId: 1, keptDays: 400 }])
}, 60_000)

test('deactivating says what it does before it is done; it can be taken back', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Deactivate City Media' }))
  const question = within(await screen.findByRole('dialog', { name: 'Deactivate customer' }))
  question.getByText(/Its users are signed out at once and cannot sign in. Its devices go on recording/)
  await userEvent.click(question.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: 'Deactivate City Media' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Activate City Media' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() =>
    expect(sent()).toEqual([
      { id: 3, isActive: false },
      { id: 3, isActive: true },
    ]),
  )
}, 60_000)
