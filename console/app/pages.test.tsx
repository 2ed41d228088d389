import { createBrowserHistory } from '@tanstack/history'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endSession, readSession } from '#console/lib/call/sessionStore.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { incidentOf } from '#console/testing/incidentOf.ts'
import { Providers } from '#console/testing/Providers.tsx'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { standAt } from '#console/testing/standAt.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { getDashboardValues } from '#contract/http/insight/overview.ts'
import { getClientAuthData, login, logout } from '#contract/http/people/signIn.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { Console } from './pages.tsx'

const { server } = screenTest({ signedIn: 'nobody' })
let leave = () => {}

beforeEach(() => {
  server.answer(listDevices, { rows: [], total: 0, next: null })
  server.answer(logout, {})
})
afterEach(() => leave())

async function openConsole(path: string) {
  standAt(`${server.url}${path}`)
  const history = createBrowserHistory()
  leave = () => history.destroy()
  render(
    <Providers>
      <Console history={history} />
    </Providers>,
  )
  return { address: () => history.location.href }
}
async function fillIn(username: string, password: string) {
  await userEvent.type(await screen.findByLabelText('Username'), username)
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}
const answerSignIn = () => {
  signInAs()
  const user = readSession()?.user
  endSession('expired')
  if (user) server.answer(login, { ...user, accessToken: 'fresh' })
}

test('without a sign-in every address leads to the login page, and afterwards to where one wanted to go', async () => {
  answerSignIn()
  const console = await openConsole('/nothing/here?x=1')
  await fillIn(' eva@example.com ', 'secret')
  expect(await screen.findByText('Page not found')).toBeVisible()
  expect(console.address()).toBe('/nothing/here?x=1')
  expect(server.requestsTo(login)[0]?.values).toEqual({ username: 'eva@example.com', password: 'secret' })
  expect(readSession()?.accessToken).toBe('fresh')
})

test('without a wanted address one lands at home', async () => {
  answerSignIn()
  const console = await openConsole('/login')
  await fillIn('eva@example.com', 'secret')
  expect(await screen.findByRole('heading', { name: 'Overview' })).toBeVisible()
  expect(console.address()).toBe('/overview')
})

test('a wrong password says so in the form, without a toast, and clears nothing', async () => {
  server.answer(login, new Refusal('wrong_credentials'))
  await openConsole('/login')
  await fillIn('eva@example.com', 'wrong')
  expect(await screen.findByText('Login Failed: Your username or password is incorrect')).toBeVisible()
  expect(screen.getByLabelText('Username')).toHaveValue('eva@example.com')
  expect(document.querySelectorAll('.toast')).toHaveLength(0)
})

test('another failure of the sign-in shows what the server says', async () => {
  server.answer(login, new Refusal('too_many_requests'))
  await openConsole('/login')
  await fillIn('eva@example.com', 'secret')
  expect(await screen.findByText('Too many requests. Please wait a moment.')).toBeVisible()
})

test('username and password are required, and nothing is sent without them', async () => {
  await openConsole('/login')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Username is required')).toBeVisible()
  expect(screen.getByText('Password is required')).toBeVisible()
  expect(server.requestsTo(login)).toEqual([])
})

test('who is signed in and opens the login page is sent home', async () => {
  signInAs()
  const console = await openConsole('/login')
  await screen.findByRole('heading', { name: 'Overview' })
  expect(console.address()).toBe('/overview')
})

test('a page that one may not open shows the no-permissions view inside the shell', async () => {
  signInAs({ roleFunctions: [FUNCTION.analytics] })
  await openConsole('/devices')
  expect(await screen.findByRole('heading', { name: 'No permissions' })).toBeVisible()
  expect(screen.getByRole('button', { name: /user menu/ })).toBeVisible()
  expect(server.requestsTo(listDevices)).toEqual([])
})

test('who has none of the three functions sees the no-permissions view at home', async () => {
  signInAs({ roleFunctions: [FUNCTION.receiveEmailNotifications] })
  const console = await openConsole('/')
  expect(await screen.findByRole('heading', { name: 'No permissions' })).toBeVisible()
  expect(console.address()).toBe('/')
  expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
})

test('an analytics user starts at analytics', async () => {
  signInAs({ roleFunctions: [FUNCTION.analytics] })
  const console = await openConsole('/')
  await screen.findByRole('heading', { name: 'Analytics' })
  expect(console.address()).toBe('/analytics')
})

test('in development mode an admin has a profile', async () => {
  signInAs()
  await openConsole('/profile')
  expect(await screen.findByRole('heading', { name: 'Profile' })).toBeVisible()
})

test('the public pages of links need no sign-in', async () => {
  const console = await openConsole('/reset-password')
  expect(await screen.findByRole('button', { name: 'Send link' })).toBeVisible()
  expect(console.address()).toBe('/reset-password')
})

test('logout leaves at once, ends the session on the server and forgets the token', async () => {
  signInAs()
  const console = await openConsole('/overview')
  await userEvent.click(await screen.findByRole('button', { name: /user menu/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }))
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(console.address()).toBe('/login')
  expect(localStorage.getItem('wayside.session')).toBeNull()
  await waitFor(() => expect(server.requestsTo(logout)).toHaveLength(1))
})

test('a session that ended on the server leads to the login page, which says so and leads back', async () => {
  signInAs()
  server.answer(listDevices, new Refusal('sign_in_required'))
  const console = await openConsole('/devices')
  expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeVisible()
  expect(console.address()).toBe(`/login?wanted=${encodeURIComponent('/devices')}`)
  expect(server.requestsTo(getClientAuthData)).toEqual([])
})

test('the tiles of the overview link to the lists they count', async () => {
  signInAs()
  server.answer(getDashboardValues, [{ key: 'DEVICES_PENDING', value: 1234 }])
  await openConsole('/overview')
  const tile = await screen.findByRole('link', { name: /Pending devices/ })
  await waitFor(() => expect(within(tile).getByText('1,234')).toBeVisible())
  expect(tile).toHaveAttribute('href', '/devices?filter=pending')
})

test('the theme is dark until somebody chooses white, which is kept', async () => {
  signInAs()
  await openConsole('/overview')
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  await userEvent.click(await screen.findByRole('button', { name: 'Switch to the light theme' }))
  expect(localStorage.getItem('wayside.theme')).toBe('white')
  expect(document.documentElement.dataset.mantineColorScheme).toBe('light')
})

test('a window of 1024 px shows icons until somebody opens the menu, which is kept', async () => {
  signInAs()
  await openConsole('/overview')
  await userEvent.click(await screen.findByRole('button', { name: 'Expand menu' }))
  expect(localStorage.getItem('wayside.sidebar')).toBe('open')
  await userEvent.click(await screen.findByRole('button', { name: 'Collapse menu' }))
  expect(localStorage.getItem('wayside.sidebar')).toBe('collapsed')
  expect(screen.getByRole('button', { name: 'Expand menu' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Devices' })).toBeVisible()
})

test('pages of a section share its title and tabs, and the menu counts what waits', async () => {
  signInAs()
  const incident = incidentOf({ severityId: 1 })
  server.answer(listIncidents, { rows: [incident], total: 3, alertCount: 3 })
  const console = await openConsole('/incidents')
  expect(await screen.findByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  const tabs = within(screen.getByRole('navigation', { name: 'Alerts' }))
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Alerts',
    'Incidents',
    'Maintenance windows',
  ])
  expect(tabs.getByRole('link', { name: 'Incidents' })).toHaveAttribute('aria-current', 'page')
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(menu.getByRole('link', { name: 'Alerts' })).toHaveAttribute('aria-current', 'page')
  await waitFor(() => expect(document.title).toBe('Incidents · Wayside'))
  await userEvent.click(await menu.findByRole('link', { name: '3 active incidents' }))
  expect(console.address()).toBe('/incidents?state=active')
})
