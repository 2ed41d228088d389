import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { getClientAuthData, login, logout } from '#contract/http/people/signIn.ts'
import { endSession, keepSession, onSessionChange, readSession, sessionEnd } from '../call/sessionStore.ts'
import { keepUserFresh, signIn, signOut } from './session.ts'

const { server } = screenTest()
let stop = () => {}

afterEach(() => stop())

const signedIn = () => {
  const session = readSession()
  if (!session) throw new Error('nobody is signed in')
  return session
}

test('signing in keeps token and user for the next visit', async () => {
  const { user } = signedIn()
  endSession('signedOut')
  server.answer(login, { ...user, accessToken: 'fresh' })
  await signIn({ username: 'a', password: 'b' })
  expect(JSON.parse(localStorage.getItem('wayside.session') ?? '')).toEqual({ accessToken: 'fresh', user })
})

test('a later answer without a token leaves the stored one in place', () => {
  const { accessToken } = signedIn()
  keepSession({ user: { ...signedIn().user, roleName: 'Guest' } })
  expect(signedIn()).toMatchObject({ accessToken, user: { roleName: 'Guest' } })
})

test('rights that changed since the last visit count after the first answer', async () => {
  server.answer(getClientAuthData, { ...signedIn().user, roleFunctions: [5] })
  const { accessToken } = signedIn()
  stop = keepUserFresh()
  await waitFor(() => expect(signedIn().user.roleFunctions).toEqual([5]))
  expect(signedIn().accessToken).toBe(accessToken)
})

test.each(['sign_in_required', 'forbidden'] as const)('%s while refreshing the own data signs out', async (code) => {
  server.answer(getClientAuthData, new Refusal(code))
  stop = keepUserFresh()
  await waitFor(() => expect(readSession()).toBeUndefined())
  expect(sessionEnd()).toBe('expired')
})

test('a server that is not ready is asked again, and nobody is signed out', async () => {
  takeClock()
  const { user } = signedIn()
  let asked = 0
  server.answer(getClientAuthData, () => (++asked === 1 ? new Refusal('not_ready') : { ...user, roleName: 'Fresh' }))
  stop = keepUserFresh()
  await passTimeUntil(() => expect(signedIn().user.roleName).toBe('Fresh'))
  expect(asked).toBe(2)
})

test('signing out ends the session here at once, whatever the server says', async () => {
  server.answer(logout, new Refusal('not_ready'))
  const signingOut = signOut()
  expect(readSession()).toBeUndefined()
  expect(localStorage.getItem('wayside.session')).toBeNull()
  await signingOut
  expect(server.requestsTo(logout)).toHaveLength(1)
})

test('this tab signs in and out together with the others of the browser', () => {
  const told: (string | undefined)[] = []
  const stopListening = onSessionChange(() => told.push(readSession()?.accessToken))
  const { user } = signedIn()
  const otherTabWrites = (text: string | null) => {
    if (text === null) localStorage.removeItem('wayside.session')
    else localStorage.setItem('wayside.session', text)
    window.dispatchEvent(new StorageEvent('storage', { key: 'wayside.session' }))
  }
  otherTabWrites(null)
  otherTabWrites(JSON.stringify({ accessToken: 'of the other tab', user }))
  stopListening()
  expect(told).toEqual([undefined, 'of the other tab'])
})

test('damaged storage counts as signed out', () => {
  for (const damage of ['{', '{}', '{"accessToken":"a"}', '{"accessToken":"","user":{"roleFunctions":[]}}', '7']) {
    signInAs({ roleName: damage })
    localStorage.setItem('wayside.session', damage)
    window.dispatchEvent(new StorageEvent('storage', { key: 'wayside.session' }))
    expect(readSession()).toBeUndefined()
  }
})
