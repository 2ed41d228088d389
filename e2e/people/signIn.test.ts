import { expect, test } from '../support/journey.ts'
import { type DemoUser, signInByForm } from '../support/signIn.ts'

const LANDS_ON: Record<DemoUser, { path: RegExp; menu: string[]; note?: string }> = {
  admin: {
    path: /\/overview$/,
    menu: [
      'Overview',
      'Devices',
      'Locations',
      'Alerts',
      'Analytics',
      'Audit log',
      'Alert Thresholds',
      'Users',
      'Roles',
      'Notifications',
      'Customers',
      'Device software',
      'System',
    ],
  },
  manager: {
    path: /\/overview$/,
    menu: ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log'],
  },
  customer: {
    path: /\/overview$/,
    menu: ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log'],
  },
  lab: {
    path: /\/overview$/,
    menu: ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log'],
  },
  analyst: { path: /\/analytics$/, menu: ['Analytics'] },
  internal: {
    path: /\/overview$/,
    menu: ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log'],
  },
  nobody: { path: /\/$/, menu: [], note: 'No permissions' },
}

for (const [user, { path, menu, note }] of Object.entries(LANDS_ON)) {
  test(`${user}@ lands where they may work and sees no other entry`, async ({ page, system }) => {
    await signInByForm(page, user as DemoUser, system)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('button', { name: 'user menu' })).toContainText(`${user}@demo.example`)
    if (menu.length > 0) await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(await page.locator('.nav-entry').allTextContents()).toEqual(menu)
    if (note) await expect(page.getByRole('heading', { name: note })).toBeVisible()
  })
}

test('a wrong password is refused in its own words (rules/messages 3)', async ({ page, expectRefused }) => {
  expectRefused('401 App/Login')
  await page.goto('/login')
  await page.getByLabel('Username').fill('admin@demo.example')
  await page.getByLabel('Password', { exact: true }).fill('not the password at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Login Failed: Your username or password is incorrect')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Password is required')).toBeVisible()
})

test('after the sign-in one is where one wanted to be', async ({ page, system }) => {
  await page.goto('/devices?deviceName=berg')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill('manager@demo.example')
  await page.getByLabel('Password', { exact: true }).fill(system.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/devices\?.*deviceName=berg/)
})

test('the browser in which somebody signed in is known there the next time', async ({ page, context, system }) => {
  await signInByForm(page, 'manager', system)
  await expect(page).toHaveURL(/\/overview$/)
  const known = async () =>
    (await context.cookies(`${new URL(page.url()).origin}/api/App/Login`)).find(
      ({ name }) => name === 'wayside_browser',
    )
  const first = await known()
  expect(first).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/App' })
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signInByForm(page, 'manager', system)
  await expect(page).toHaveURL(/\/overview$/)
  expect((await known())?.value.split('.')[1]).toBe(first?.value.split('.')[1])
})

test('a session stays with its browser: what a script could read of it opens nothing elsewhere', async ({
  page,
  context,
  browser,
  system,
  request,
  expectRefused,
  mayBeRefused,
}) => {
  await signInByForm(page, 'manager', system)
  const halves = async () => (await context.cookies(`${system.httpUrl}/api/`)).filter(({ name }) => /half/.test(name))
  expect(await halves()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/api', secure: false }])
  const otherTab = await context.newPage()
  await otherTab.goto('/devices')
  await expect(otherTab.getByRole('heading', { name: 'Devices' })).toBeVisible()
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const read = await page.evaluate(() => localStorage.getItem('wayside.session') ?? '')
  const authorization = `Bearer ${JSON.parse(read).accessToken}`
  const copied = await request.get('/api/App/GetClientAuthData', { headers: { authorization } })
  expect(copied.status()).toBe(401)
  const elsewhere = await browser.newContext({
    storageState: {
      cookies: [],
      origins: [{ origin: system.httpUrl, localStorage: [{ name: 'wayside.session', value: read }] }],
    },
  })
  const stolen = await elsewhere.newPage()
  expectRefused('401 App/GetClientAuthData')
  // The page asks for its views at once, and may leave before they are refused.
  mayBeRefused('401 View/GetViewList')
  await stolen.goto(`${system.httpUrl}/devices`)
  await expect(stolen).toHaveURL(/\/login/)
  await elsewhere.close()
  await page.reload()
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(halves).toEqual([])
})

test('logging out ends the session here, in other tabs and at the server', async ({
  page,
  context,
  signInAs,
  request,
}) => {
  await signInAs('manager')
  const token = await page.evaluate(() => JSON.stringify(localStorage).match(/[A-Za-z0-9_-]{43}/)?.[0])
  const asBefore = () => request.get('/api/App/GetClientAuthData', { headers: { authorization: `Bearer ${token}` } })
  expect((await asBefore()).status()).toBe(200)
  const otherTab = await context.newPage()
  await otherTab.goto('/devices')
  await expect(otherTab.getByRole('heading', { name: 'Devices' })).toBeVisible()
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(otherTab).toHaveURL(/\/login/)
  // The browser forgets the session at once, the server as soon as it learns of it.
  await expect.poll(async () => (await asBefore()).status()).toBe(401)
})

test('the profile is there in development mode only', async ({ page, signInAs }) => {
  await signInAs('admin', '/profile')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('an unknown address says so and offers the way back', async ({ page, signInAs }) => {
  await signInAs('admin', '/devices')
  await page.goto('/no-such-page')
  await expect(page.getByText('Page not found')).toBeVisible()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/devices/)
})
