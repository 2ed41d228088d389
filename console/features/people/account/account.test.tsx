import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { UserBox } from '#console/app/account/UserBox.tsx'
import { readSession, sessionEnd } from '#console/lib/call/sessionStore.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { personalDataOf } from '#console/testing/personalDataOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import type { Call } from '#contract/call/call.ts'
import {
  changePassword,
  checkPasswordLink,
  endOneSession,
  endOtherSessions,
  listSessions,
  requestPasswordReset,
  type Session,
  setPasswordByToken,
  setTimeZone,
} from '#contract/http/people/account.ts'
import { downloadOwnPersonalData } from '#contract/http/people/personalData.ts'
import { logout } from '#contract/http/people/signIn.ts'
import { RegistrationPage, ResetPasswordPage, tokenOf } from './PasswordLinkPages.tsx'

const NEW_PASSWORD = 'seven lamps over the harbour'
const TOKEN = 'A'.repeat(43)

const { server, open } = screenTest({ signedIn: 'nobody' })

async function openMenuItem(item: string) {
  signInAs()
  await open('/here', { '/here': UserBox })
  screen.getByRole('button', { name: /user menu/ }).focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog', { name: item }))
}

const sentTo = (call: Call) => server.requestsTo(call).map(({ method, values }) => ({ method, values }))

async function fillPasswords(dialog: ReturnType<typeof within>, old: string, next: string, repeated: string) {
  await userEvent.type(await dialog.findByLabelText('Old password'), old)
  await userEvent.type(dialog.getByLabelText('New password'), next)
  await userEvent.type(dialog.getByLabelText('Repeat new password'), repeated)
  await userEvent.click(dialog.getByRole('button', { name: 'Change password' }))
}

test('the old and the new password go in a body, and the toast says that it was changed', async () => {
  server.answer(changePassword, {})
  const dialog = await openMenuItem('Change password')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await fillPasswords(dialog, 'the old one', NEW_PASSWORD, NEW_PASSWORD)
  await screen.findByText('Password was successfully changed.')
  expect(sentTo(changePassword)).toEqual([
    { method: 'POST', values: { oldPass: 'the old one', newPass: NEW_PASSWORD } },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change password' })).toBeNull())
})

test('every field is required, and passwords that differ make no call', async () => {
  const dialog = await openMenuItem('Change password')
  await userEvent.click(await dialog.findByRole('button', { name: 'Change password' }))
  await dialog.findByText('Old password is required')
  dialog.getByText('New password is required')
  dialog.getByText('Repeat new password is required')
  await fillPasswords(dialog, 'the old one', NEW_PASSWORD, `${NEW_PASSWORD}!`)
  await dialog.findByText('New passwords do not match.')
  expect(sentTo(changePassword)).toEqual([])
})

test.each([
  ['short lamps', /at least 15 characters/],
  ['Password12345678', /too common/],
  ['my eva@example.com lamp', /username/],
])('the reason is said before any call is made: %s', async (password, reason) => {
  const dialog = await openMenuItem('Change password')
  await fillPasswords(dialog, 'the old one', password, password)
  await dialog.findByText(reason)
  expect(sentTo(changePassword)).toEqual([])
})

test('what the server refuses stands at its field', async () => {
  server.answer(changePassword, new Refusal('wrong_old_password'))
  const dialog = await openMenuItem('Change password')
  await fillPasswords(dialog, 'not the old one', NEW_PASSWORD, NEW_PASSWORD)
  await dialog.findByText('The old password is not right.')
  expect(dialog.getByLabelText('Old password')).toHaveAttribute('aria-invalid', 'true')
})

const sessionOf = (id: number, device: string, isCurrent = false, isBound = true): Session => ({
  id,
  device,
  address: '10.0.0.7',
  started: '2026-11-01T08:00:00.000Z',
  lastUsed: '2026-11-20T08:00:00.000Z',
  ends: '2026-11-27T08:00:00.000Z',
  isCurrent,
  isBound,
})

test('the own sessions can be ended one by one, or all others at once', async () => {
  let sessions = [
    sessionOf(1, 'Firefox on Windows', true),
    sessionOf(2, 'Safari on iPhone'),
    sessionOf(3, 'Edge on Windows', false, false),
  ]
  server.answer(listSessions, () => sessions)
  server.answer(endOneSession, ({ values }) => {
    sessions = sessions.filter(({ id }) => id !== values.id)
    return {}
  })
  server.answer(endOtherSessions, () => {
    sessions = sessions.filter(({ isCurrent }) => isCurrent)
    return { endedCount: 1 }
  })
  const dialog = await openMenuItem('Sessions')
  await dialog.findByText('This session')
  expect(dialog.getAllByText('not bound')).toHaveLength(1)
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'End session: Safari on iPhone' }))
  await screen.findByText('The session is ended: Safari on iPhone.')
  await waitFor(() => expect(dialog.queryByText('Safari on iPhone')).toBeNull())
  expect(sentTo(endOneSession)).toEqual([{ method: 'POST', values: { id: 2 } }])
  await userEvent.click(dialog.getByRole('button', { name: 'End all other sessions' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('One other session is ended.')
  await waitFor(() => expect(dialog.queryByText('Edge on Windows')).toBeNull())
  expect(dialog.getByRole('button', { name: 'End all other sessions' })).toBeDisabled()
  server.answer(logout, {})
  await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(sessionEnd()).toBe('signedOut'))
  expect(sentTo(endOtherSessions)).toHaveLength(2)
})

test('a chosen time zone counts at once', async () => {
  server.answer(setTimeZone, {})
  const dialog = await openMenuItem('Time zone')
  await userEvent.type(await dialog.findByRole('combobox', { name: 'Show times in' }), 'Tokyo')
  await userEvent.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Times are shown in the chosen zone.')
  expect(sentTo(setTimeZone)).toEqual([{ method: 'POST', values: { timeZone: 'Asia/Tokyo' } }])
  expect(readSession()?.user.timeZone).toBe('Asia/Tokyo')
})

test('a forgotten password: whoever it is, the same is said', async () => {
  server.answer(requestPasswordReset, {})
  await open('/reset-password', { '/reset-password': ResetPasswordPage })
  await userEvent.click(await screen.findByRole('button', { name: 'Send link' }))
  await screen.findByText('Username is required')
  await userEvent.type(screen.getByLabelText('Username'), ' eva@example.com ')
  await userEvent.click(screen.getByRole('button', { name: 'Send link' }))
  await screen.findByText(/If there is an account of this name/)
  expect(sentTo(requestPasswordReset)).toEqual([{ method: 'POST', values: { username: 'eva@example.com' } }])
  expect(await axeFindings(document.body)).toEqual([])
})

test('a link that is opened in the tab that asked for it takes its place', async () => {
  server.answer(checkPasswordLink, { username: 'eva@example.com', expires: '2026-12-01T00:00:00Z' })
  const { follow } = await open('/reset-password', { '/reset-password': ResetPasswordPage })
  await screen.findByRole('button', { name: 'Send link' })
  follow(`/reset-password#token=${TOKEN}`)
  await screen.findByRole('button', { name: 'Set password' })
})

const openLink = (page: typeof RegistrationPage, hash = '') => open(`/link${hash}`, { '/link': page })

test('an activation link says whose it is and sets the password', async () => {
  server.answer(checkPasswordLink, { username: 'new@example.com', expires: '2026-12-01T00:00:00Z' })
  server.answer(setPasswordByToken, { username: 'new@example.com' })
  await openLink(RegistrationPage, `#token=${TOKEN}`)
  expect(await screen.findByLabelText('Username')).toHaveValue('new@example.com')
  await userEvent.type(screen.getByLabelText('New password'), NEW_PASSWORD)
  await userEvent.type(screen.getByLabelText('Repeat new password'), NEW_PASSWORD)
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  await screen.findByRole('heading', { name: 'Your password is set' })
  expect(sentTo(setPasswordByToken)).toEqual([{ method: 'POST', values: { token: TOKEN, password: NEW_PASSWORD } }])
})

test('a link that is used up says so and leads to a new one', async () => {
  server.answer(checkPasswordLink, new Refusal('link_not_valid'))
  await openLink(RegistrationPage)
  await screen.findByText(/This link does not work/)
  screen.getByRole('link', { name: 'Ask for a new link' })
})

test('the token is read behind the number sign, or as a parameter', () => {
  expect(tokenOf({ hash: `#token=${TOKEN}`, searchStr: '' })).toBe(TOKEN)
  expect(tokenOf({ hash: '', searchStr: `?token=${TOKEN}` })).toBe(TOKEN)
  expect(tokenOf({ hash: '', searchStr: '' })).toBeUndefined()
})

test('whoever is signed in downloads what is kept about them', async () => {
  server.answer(downloadOwnPersonalData, personalDataOf('marta@example.com'))
  const saved = watchDownloads()
  const dialog = await openMenuItem('Personal data')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  await userEvent.click(await dialog.findByRole('button', { name: 'Download' }))
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['personal-data.json']))
  expect(await saved[0]?.file.text()).toContain('marta@example.com')
})
