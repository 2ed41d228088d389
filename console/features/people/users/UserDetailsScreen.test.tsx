import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { readSession, sessionEnd } from '#console/lib/call/sessionStore.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { personalDataOf } from '#console/testing/personalDataOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { roleOf, userOf } from '#console/testing/userOf.ts'
import { auditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import {
  endUserSessions,
  listUserSessions,
  sendRegistrationEmail,
  sendResetPasswordEmail,
} from '#contract/http/people/account.ts'
import { downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import { getClientAuthData } from '#contract/http/people/signIn.ts'
import { type AppUser, deleteUser, getUser, setUser } from '#contract/http/people/users.ts'
import { AddUserScreen, UserDetailsScreen } from './UserDetailsScreen.tsx'

const { server, open: draw } = screenTest()
let kept: AppUser

const entryOf = (id: number, userId: number) =>
  auditEntry.parse({
    id,
    inserted: '2026-11-20T10:00:00.000Z',
    actionId: 2,
    actionName: 'Update',
    entityTypeId: 1,
    entityTypeName: 'Device',
    entityId: id,
    deviceGuid: null,
    entityName: `Totem ${id}`,
    userId,
    username: 'marta@example.com',
    details: '',
    outcome: 'done',
    settingOutcome: null,
    address: '',
    call: 'Device/SetDeviceDetails',
    before: null,
    after: null,
    bulkId: null,
    fold: null,
    names: [],
  })

beforeEach(() => {
  kept = userOf()
  server.answer(getUser, () => kept)
  server.answer(setUser, ({ values }) => {
    kept = userOf({ ...kept, ...values, updated: '2026-11-21T10:00:00.000Z' })
    return kept.id
  })
  server.answer(listRoles, [roleOf(), roleOf({ id: 5, name: 'Analyst', functions: 'Analytics' })])
  server.answer(listCustomers, [{ id: 3, name: 'City' }])
  server.answer(listAudit, { rows: [], total: null, next: null })
  server.answer(deleteUser, true)
  server.answer(listUserSessions, [])
})

const DETAILS = '/users/user-details?data={"id":7}'
async function open(at = DETAILS) {
  const screens = {
    '/users': () => <p>the list of users</p>,
    '/users/user-details': UserDetailsScreen,
    '/users/add-user': AddUserScreen,
  }
  return draw(at, screens)
}
async function menu(item: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this user' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  return screen.findByRole('dialog')
}

test('where a user is signed in is shown to who manages them, who ends one session or all', async () => {
  const session = { address: '10.0.0.7', started: '2026-11-01T08:00:00.000Z', lastUsed: '2026-11-20T08:00:00.000Z' }
  const more = { ends: '2026-11-27T08:00:00.000Z', isCurrent: false }
  let sessions = [
    { id: 1, device: 'Firefox on Windows', ...session, ...more, isBound: true },
    { id: 2, device: 'The program curl', ...session, ...more, isBound: false },
  ]
  server.answer(listUserSessions, () => sessions)
  server.answer(endUserSessions, ({ values }) => {
    sessions = values.id === undefined ? [] : sessions.filter(({ id }) => id !== values.id)
    return { endedCount: 1 }
  })
  await open()
  await screen.findByText('not bound')
  await userEvent.click(screen.getByRole('button', { name: 'End session: The program curl' }))
  await waitFor(() => expect(screen.queryByText('The program curl')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'End all' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('This user is signed in nowhere')
  expect(server.requestsTo(endUserSessions).map(({ values }) => values)).toEqual([{ userId: 7, id: 2 }, { userId: 7 }])
})

test('the header has the full name with the username below, or the username alone', async () => {
  const { container } = await open()
  await screen.findByRole('heading', { name: 'Marta Horáková' })
  expect(await axeFindings(container)).toEqual([])
  cleanup()
  kept = userOf({ lastName: '' })
  await open()
  await screen.findByRole('heading', { name: 'marta@example.com' })
}, 60_000)

test.each(['/users/user-details', '/users/user-details?data=nonsense', '/users/user-details?data={"id":-4}'])(
  '%s has no user, so the app goes back',
  async (at) => {
    await open(at)
    await screen.findByText('the list of users')
    expect(server.requestsTo(getUser)).toEqual([])
  },
)

test('what is saved is what was changed; then the user is read from the server again', async () => {
  await open()
  const name = await screen.findByRole('textbox', { name: 'First name' })
  expect(screen.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly')
  expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled()
  await userEvent.clear(name)
  await userEvent.type(name, 'Martina')
  await userEvent.click(await screen.findByRole('switch', { name: /Lab user/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await screen.findByRole('heading', { name: 'Martina Horáková' })
  expect(server.requestsTo(setUser).map(({ values }) => values)).toEqual([{ id: 7, firstName: 'Martina', isLab: true }])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled())
}, 60_000)

test('who edits themselves sees it in the header at once', async () => {
  kept = userOf({ id: 1, username: 'eva@example.com', firstName: 'Eva', lastName: 'Novak' })
  const before = readSession()?.user
  if (before) server.answer(getClientAuthData, () => ({ ...before, firstName: kept.firstName }))
  await open('/users/user-details?data={"id":1}')
  const name = await screen.findByRole('textbox', { name: 'First name' })
  await userEvent.clear(name)
  await userEvent.type(name, 'Evita')
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(readSession()?.user.firstName).toBe('Evita'))
}, 60_000)

test('a wrong address is told beside its field, and nothing is sent', async () => {
  await open()
  const email = await screen.findByRole('textbox', { name: 'Email (notifications)' })
  await userEvent.clear(email)
  await userEvent.type(email, 'marta')
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await screen.findByText('This field Email (notifications) is not a valid email.')
  expect(server.requestsTo(setUser)).toEqual([])
})

test('the menu sends the two mails after their questions, and tells where they went', async () => {
  server.answer(sendRegistrationEmail, 'marta@example.com')
  server.answer(sendResetPasswordEmail, 'marta@example.com')
  await open()
  const activation = within(await menu('Send activation email'))
  activation.getByText('Are you sure you want to (re)send activation email to "Marta Horáková" user?')
  await userEvent.click(activation.getByRole('button', { name: 'Yes' }))
  await screen.findByText('Registration email sent to marta@example.com')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const reset = within(await menu('Send reset password email'))
  reset.getByText('Are you sure you want to (re)send reset password email to "Marta Horáková" user?')
  await userEvent.click(reset.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(sendResetPasswordEmail)).toEqual([])
  await userEvent.click(within(await menu('Send reset password email')).getByRole('button', { name: 'Yes' }))
  await screen.findByText('Reset password email sent to marta@example.com')
}, 60_000)

test('a deleted user is gone, and the app goes back', async () => {
  await open()
  const question = within(await menu('Delete user'))
  question.getByText('Are you sure you want to delete "Marta Horáková" user?')
  await userEvent.click(question.getByRole('button', { name: 'Yes' }))
  await screen.findByText('the list of users')
  expect(server.requestsTo(deleteUser)[0]?.values).toEqual({ id: 7 })
  expect(readSession()).toBeDefined()
  // Nobody asks for a deleted user.
  for (const call of [getUser, listUserSessions]) expect(server.requestsTo(call)).toHaveLength(1)
}, 60_000)

test('who deletes themselves is signed out', async () => {
  kept = userOf({ id: 1, username: 'eva@example.com', firstName: 'Eva', lastName: 'Novak' })
  await open('/users/user-details?data={"id":1}')
  await userEvent.click(within(await menu('Delete user')).getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(readSession()).toBeUndefined())
  expect(sessionEnd()).toBe('signedOut')
}, 60_000)

test('a user that does not exist leads back to the list, and nothing is tried again', async () => {
  server.answer(getUser, new Refusal('not_found'))
  await open()
  expect(await screen.findByText('This user does not exist')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go back to users' })).toHaveAttribute('href', '/users')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a refused deletion says why, and the user stays', async () => {
  server.answer(deleteUser, new Refusal('last_admin'))
  await open()
  await userEvent.click(within(await menu('Delete user')).getByRole('button', { name: 'Yes' }))
  const [told, ...more] = await screen.findAllByText(/^Error deleting user Marta Horáková! Please, try again\. /)
  expect(told).toHaveTextContent(/this is its last active administrator/)
  expect(more).toEqual([])
  await screen.findByRole('heading', { name: 'Marta Horáková' })
}, 60_000)

test('personal data is downloaded, and a person is erased after a question that says what goes', async () => {
  server.answer(downloadPersonalData, personalDataOf('marta@example.com'))
  server.answer(erasePersonalData, {})
  const saved = watchDownloads()
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this user' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Download personal data' }))
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['personal-data-7.json']))
  expect(server.requestsTo(downloadPersonalData).map(({ values }) => values)).toEqual([{ id: 7 }])
  const question = within(await menu('Erase user'))
  question.getByText(/taken out of the audit log.*This cannot be undone/)
  await userEvent.click(question.getByRole('button', { name: 'Yes' }))
  await screen.findByText('the list of users')
  expect(server.requestsTo(erasePersonalData)[0]?.values).toEqual({ id: 7 })
  await screen.findByText('"Marta Horáková" is deleted, and is being erased.')
}, 60_000)

test('of 50 entries of the audit log at most 20 are shown, and only those of the user', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => entryOf(index + 1, index % 2 === 0 ? 7 : 1))
  server.answer(listAudit, { rows, total: null, next: null })
  await open()
  const grid = within(await screen.findByRole('table', { name: 'Recent activity' }))
  expect(server.requestsTo(listAudit)[0]?.values).toMatchObject({ pageSize: 50, userId: 7 })
  expect(grid.getAllByRole('row')).toHaveLength(21)
  expect(grid.queryByText('Totem 2')).toBeNull()
  grid.getByText('Totem 39')
  expect(screen.getByRole('link', { name: 'Audit log' }).getAttribute('href')).toBe('/audit-log?userId=7')
  expect(grid.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Timestamp',
    'Action',
    'Entity',
    'Name',
    'Details',
  ])
})

test('an entry that was refused says so, as the audit log does', async () => {
  server.answer(listAudit, { rows: [{ ...entryOf(1, 7), outcome: 'last_admin' }, entryOf(2, 7)], total: 2, next: null })
  await open()
  const grid = within(await screen.findByRole('table', { name: 'Recent activity' }))
  expect(within(grid.getByRole('row', { name: /Totem 1/ })).getByText('Refused')).toBeVisible()
  expect(within(grid.getByRole('row', { name: /Totem 2/ })).queryByText('Refused')).toBeNull()
})

test('a user whose role one may not hand out is shown, and not changed', async () => {
  kept = userOf({ roleId: 9, roleName: 'Owner' })
  await open()
  await screen.findByText(/The role of this user has functions that you do not have/)
  expect(screen.getByRole('textbox', { name: 'First name' })).toBeDisabled()
  expect(screen.getByRole('combobox', { name: /User role/ })).toHaveValue('Owner')
})

test('the screen of a new user is empty, and leads to the page of the one who was added', async () => {
  const { address } = await open('/users/add-user')
  await screen.findByRole('heading', { name: 'Add user' })
  await userEvent.type(await screen.findByRole('textbox', { name: /^Email$/ }), 'ada@example.com')
  await userEvent.click(await screen.findByRole('combobox', { name: /User role/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Analyst' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Send activation email' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Add user' }))
  await waitFor(() => expect(decodeURIComponent(address())).toContain('/users/user-details?data={"id":7}'))
}, 60_000)
