import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { roleOf } from '#console/testing/userOf.ts'
import { deleteRole, getRole, listFunctions, listRoles, setRole } from '#contract/http/people/roles.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'
import { RolesScreen } from './RolesScreen.tsx'

const { server, open: draw } = screenTest({ screens: { '/roles': RolesScreen } })

const link = (functionId: number) => ({
  accountId: 1,
  created: '2026-11-01T10:00:00.000Z',
  createdBy: null,
  functionId,
  functionName: '',
  roleId: 2,
  roleName: '',
})

beforeEach(() => {
  server.answer(listRoles, [roleOf(), roleOf({ id: 5, name: 'Analyst', functions: 'Analytics', activeUsers: 0 })])
  server.answer(listFunctions, [...FUNCTIONS])
  server.answer(getRole, roleOf({ roleFunctions: [link(2), link(7)] }))
  server.answer(setRole, 2)
  server.answer(deleteRole, true)
})

const open = async (at = '/roles') => {
  const view = await draw(at)
  await screen.findByRole('table', { name: 'Roles' })
  return view
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('the list has name, functions and active users, and the filter takes any part of a name in any case', async () => {
  const { address, container } = await open()
  await screen.findByRole('row', { name: /Device manager DeviceManager 2/ })
  expect(await axeFindings(container)).toEqual([])
  await userEvent.type(await screen.findByRole('textbox', { name: 'Role name' }), 'ANALY{Enter}')
  await waitFor(() => expect(screen.queryByRole('row', { name: /Device manager/ })).toBeNull())
  await screen.findByRole('row', { name: /Analyst/ })
  expect(address()).toBe('/roles?name=ANALY')
  await userEvent.click(await screen.findByRole('button', { name: 'Reset' }))
  await screen.findByRole('row', { name: /Device manager/ })
}, 60_000)

test('Reload asks again', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(server.requestsTo(listRoles)).toHaveLength(2))
})

test('a new role needs a name; its functions are checkboxes', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add role' }))
  const form = await dialog('Add role')
  await form.findByText('Functions:')
  expect(await form.findAllByRole('checkbox')).toHaveLength(7)
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await form.findByText('Role name is required')
  await userEvent.type(await form.findByRole('textbox', { name: /Role name/ }), ' Night shift ')
  await userEvent.click(await form.findByRole('checkbox', { name: 'Analytics' }))
  await userEvent.click(await form.findByRole('checkbox', { name: 'DeviceManager' }))
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(setRole).map(({ values }) => values)).toEqual([
    {
      id: 0,
      name: 'Night shift',
      allowsAssistants: false,
      roleFunctions: [{ functionId: 5 }, { functionId: 2 }],
      requiresBoundSession: false,
    },
  ])
}, 60_000)

test('an edited role is read with its functions first, and sent whole', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Device manager' }))
  const form = await dialog('Edit role')
  await waitFor(() => expect(form.getByRole('checkbox', { name: 'ReceiveEmailNotifications' })).toBeChecked())
  expect(server.requestsTo(getRole)[0]?.values).toEqual({ id: '2', getFullData: 'true' })
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await userEvent.click(await form.findByRole('checkbox', { name: 'ReceiveEmailNotifications' }))
  await userEvent.click(form.getByRole('switch', { name: /Only sessions bound to a browser/ }))
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(setRole)[0]?.values).toEqual({
    id: 2,
    name: 'Device manager',
    allowsAssistants: false,
    roleFunctions: [{ functionId: 2 }],
    requiresBoundSession: true,
  })
}, 60_000)

test('that people need a second factor, and within how many days, is sent when it changes', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Device manager' }))
  const form = await dialog('Edit role')
  await userEvent.click(await form.findByRole('switch', { name: 'People with this role need a second factor' }))
  const days = await form.findByRole('textbox', { name: /Days until/ })
  expect(days).toHaveValue('14')
  await userEvent.clear(days)
  await userEvent.type(days, '30')
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(server.requestsTo(setRole)).toHaveLength(1))
  expect(server.requestsTo(setRole)[0]?.values).toMatchObject({ id: 2, factorGraceDays: 30 })
}, 60_000)

test('a name that is taken is told beside its field; an answer without an id in its own words (rules/messages 5)', async () => {
  server.answer(setRole, new Refusal('role_name_taken'))
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Add role' }))
  const form = await dialog('Add role')
  await userEvent.type(await form.findByRole('textbox', { name: /Role name/ }), 'Analyst')
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await form.findByText('There is a role with this name already.')
  server.answer(setRole, 0)
  await userEvent.click(await form.findByRole('button', { name: 'Ok' }))
  await screen.findByText('There was no error but Role Id was not returned. Please, try again.')
}, 60_000)

test('a removed role is gone at once; refused, the list is read again and says why', async () => {
  let answer = (_: unknown) => {}
  const held = new Promise((resolve) => {
    answer = resolve
  })
  server.answer(deleteRole, async () => {
    await held
    return new Refusal('role_in_use')
  })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Device manager' }))
  const question = await dialog('Remove role')
  question.getByText('Are you sure you want to remove "Device manager" role?')
  await userEvent.click(question.getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /Device manager/ })).toBeNull())
  expect(server.requestsTo(listRoles)).toHaveLength(1)
  answer(undefined)
  await screen.findByText('The role is in use and cannot be removed. Give its users another role first.')
  await screen.findByRole('row', { name: /Device manager/ })
  expect(server.requestsTo(listRoles).length).toBeGreaterThan(1)
}, 60_000)
