import { createMemoryHistory } from '@tanstack/history'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { Router } from '#console/router/Router.tsx'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signedInUser } from '#contract/http/people/signedInUser.ts'
import { getOfferedUsers, login, loginNewFactor, loginSecondFactor } from '#contract/http/people/signIn.ts'
import { beginProviderSignIn, findSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { LoginScreen } from './LoginScreen.tsx'

const { server } = screenTest({ signedIn: 'nobody' })

const SignIn = () => <LoginScreen hasExpired={false} onSignedIn={() => undefined} />

const open = () =>
  render(
    <Router
      history={createMemoryHistory({ initialEntries: ['/login'] })}
      pages={{ '/login': { screen: SignIn } }}
      otherwise={{ screen: () => <p>elsewhere</p> }}
    />,
  )

const offered = () => screen.queryByRole('region', { name: 'Users of this demo' })
const username = () => screen.getByLabelText<HTMLInputElement>('Username')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')

test('users of the demo are one click away: it fills in the name, and signs in where the password is typed', async () => {
  server.answer(getOfferedUsers, [
    { username: 'admin@demo.example', roleName: 'Administrator' },
    { username: 'manager@demo.example', roleName: 'Device manager' },
  ])
  server.answer(login, new Refusal('wrong_credentials'))
  open()
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /Device manager/ }))
  expect(username().value).toBe('manager@demo.example')
  expect(document.activeElement).toBe(password())
  expect(server.requestsTo(login)).toEqual([])

  await user.type(password(), 'gravel tuba at lantern pier')
  await user.click(screen.getByRole('button', { name: /Administrator/ }))
  await screen.findByText(/Login Failed/)
  expect(server.requestsTo(login).map(({ values }) => values)).toEqual([
    { username: 'admin@demo.example', password: 'gravel tuba at lantern pier' },
  ])
})

test('outside the demo the sign-in page offers nobody', async () => {
  server.answer(getOfferedUsers, [])
  open()
  await waitFor(() => expect(server.requestsTo(getOfferedUsers)).toHaveLength(1))
  expect(offered()).toBeNull()
})

test('who has a second factor is asked for a code after the password, and begins again when that took too long', async () => {
  const challenge = 'A'.repeat(43)
  server.answer(getOfferedUsers, [])
  server.answer(login, new Refusal('second_factor_required', undefined, { challenge }))
  server.answer(loginSecondFactor, new Refusal('wrong_second_factor'))
  open()
  const user = userEvent.setup()
  await user.type(username(), 'eva@example.com')
  await user.type(password(), 'gravel tuba at lantern pier{Enter}')
  await user.type(await screen.findByLabelText('Code'), '123 456{Enter}')
  await screen.findByText('This is not right, or it was used already.')
  server.answer(loginSecondFactor, new Refusal('challenge_not_valid'))
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText('This took too long. Please sign in again.')
  expect(username()).toBeTruthy()
  const sent = { username: 'eva@example.com', challenge, code: '123 456' }
  expect(server.requestsTo(loginSecondFactor).map(({ values }) => values)).toEqual([sent, sent])
})

test('a mail address whose domain has an identity provider is offered it, others a password alone', async () => {
  server.answer(getOfferedUsers, [])
  server.answer(findSignInProvider, ({ values }) => ({
    provider: String(values.username).endsWith('@city.example') ? { id: 4, name: 'City ID' } : null,
  }))
  open()
  await userEvent.type(username(), 'ann@other.example')
  await userEvent.tab()
  await waitFor(() => expect(server.requestsTo(findSignInProvider)).toHaveLength(1))
  expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull()
  await userEvent.clear(username())
  await userEvent.type(username(), 'ann@city.example')
  await userEvent.tab()
  await screen.findByRole('button', { name: 'Continue with City ID' })
  // Only the domain of the name is sent.
  expect(server.requestsTo(findSignInProvider).map(({ values }) => values.username)).toEqual([
    'somebody@other.example',
    'somebody@city.example',
  ])
  server.answer(beginProviderSignIn, new Refusal('provider_failed'))
  await userEvent.click(screen.getByRole('button', { name: 'Continue with City ID' }))
  await screen.findByText(/identity provider could not be asked/)
})

const EVA = {
  ...{ id: 1, username: 'eva@example.com', email: '', firstName: 'Eva', lastName: 'Novak', accountId: 1, timeZone: '' },
  ...{ roleId: 1, roleName: 'Administrator', roleFunctions: [1], isAdmin: true, isDeviceManager: true },
  ...{ isAnalyticsUser: true, isLab: false, isInternal: false },
}

test('whose role needs a second factor adds an app before they enter, and sees the recovery codes before that', async () => {
  const challenge = 'A'.repeat(43)
  const newApp = {
    secret: 'JBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Wayside:eva?secret=JBSWY3DPEHPK3PXP&issuer=Wayside',
  }
  server.answer(getOfferedUsers, [])
  server.answer(login, new Refusal('factor_enrolment_required', undefined, { challenge, newApp }))
  server.answer(loginNewFactor, {
    ...signedInUser.parse(EVA),
    accessToken: 'B'.repeat(43),
    recoveryCodes: ['abcd-efgh-jkmn-pqrs'],
  })
  open()
  const user = userEvent.setup()
  await user.type(username(), 'eva@example.com')
  await user.type(password(), 'gravel tuba at lantern pier{Enter}')
  await screen.findByText('JBSW Y3DP EHPK 3PXP')
  await user.type(screen.getByLabelText('Code that the app shows'), '123456{Enter}')
  await screen.findByText('abcd-efgh-jkmn-pqrs')
  expect(readSession()).toBeUndefined()
  await user.click(screen.getByRole('button', { name: 'I have kept them' }))
  expect(readSession()?.accessToken).toBe('B'.repeat(43))
  const sent = { username: 'eva@example.com', challenge, code: '123456', name: 'Authenticator app' }
  expect(server.requestsTo(loginNewFactor).map(({ values }) => values)).toEqual([sent])
})
