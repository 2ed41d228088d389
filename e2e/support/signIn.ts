import { expect, type Page } from '@playwright/test'
import type { RunningSystem } from './system.ts'

export type DemoUser = 'admin' | 'manager' | 'analyst' | 'customer' | 'lab' | 'internal' | 'nobody'

type Address = Pick<RunningSystem, 'httpUrl' | 'password'>

const addressOf = (user: DemoUser) => `${user}@demo.example`

/** Signs in through the login page, for journeys about signing in. */
export async function signInByForm(page: Page, user: DemoUser, { httpUrl, password }: Address) {
  await page.goto(`${httpUrl}/login`)
  await page.getByLabel('Username').fill(addressOf(user))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).not.toHaveURL(/\/login/)
}

const tokens = new Map<string, string>()

/** Opens a page as a returning user of a signed-in browser, with nothing else left in it. */
export async function signIn(page: Page, user: DemoUser, address: Address, path = '/') {
  const { httpUrl } = address
  const session = JSON.stringify(await sessionOf(user, address))
  const localStorage = [{ name: 'wayside.session', value: session }]
  await page.context().setStorageState({ cookies: [], origins: [{ origin: httpUrl, localStorage }] })
  await page.goto(`${httpUrl}${path}`)
  await expect(page.getByRole('button', { name: 'user menu' })).toBeVisible()
}

/** Reuses the session of an earlier test while it is valid: one that signed out, or lost its rights, leaves none. */
async function sessionOf(user: DemoUser, address: Address) {
  const key = `${address.httpUrl} ${user}`
  const known = tokens.get(key)
  const kept = known === undefined ? undefined : await ownData(address.httpUrl, known)
  if (known !== undefined && kept !== undefined) return { accessToken: known, user: kept }
  const { accessToken, ...own } = await login(addressOf(user), address)
  tokens.set(key, accessToken)
  return { accessToken, user: own }
}

async function ownData(httpUrl: string, token: string): Promise<object | undefined> {
  const answer = await fetch(`${httpUrl}/api/App/GetClientAuthData`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? answer.json() : undefined
}

export async function login(username: string, { httpUrl, password }: Address): Promise<{ accessToken: string }> {
  const answer = await fetch(`${httpUrl}/api/App/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`${username} could not sign in: ${await answer.text()}`)
  return answer.json()
}
