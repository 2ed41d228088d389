import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { linkIn, setPassword } from '../support/mails.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const tokenOf = (page: Page) => page.evaluate(() => JSON.stringify(localStorage).match(/[A-Za-z0-9_-]{43}/)?.[0] ?? '')

async function usersNamed(request: APIRequestContext, token: string, email: string) {
  const answer = await request.get(`/api/AppUser/GetAppUserList?email=${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await answer.json()) as { id: number; username: string }[]
}

test('a user is added, activated by the mailed link, given a role, and demoted while signed in', async ({
  page,
  browser,
  system,
  request,
  signInAs,
  mailServer,
  expectRefused,
  mayBeRefused,
}) => {
  const username = `rover${Date.now()}@demo.example`
  const password = 'nine lamps over the harbour'
  await signInAs('admin')

  await test.step('a role of its own', async () => {
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('button', { name: 'Add role' }).click()
    const form = page.getByRole('dialog', { name: 'Add role' })
    await form.getByRole('textbox', { name: 'Role name' }).fill('Rover')
    await form.getByRole('checkbox', { name: 'DeviceManager' }).check()
    await form.getByRole('button', { name: 'Ok' }).click()
    await expect(page.getByRole('row', { name: /Rover DeviceManager 0/ })).toBeVisible()
  })

  await test.step('a user with that role, who is sent an activation email', async () => {
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Add user' }).click()
    const form = page.getByRole('dialog', { name: 'Add user' })
    await form.getByRole('textbox', { name: 'Email', exact: true }).fill(username)
    await form.getByRole('textbox', { name: 'First name' }).fill('Rosa')
    await expect(form.getByRole('textbox', { name: 'Email (notifications)' })).toHaveValue(username)
    await form.getByRole('combobox', { name: 'User role' }).fill('Rov')
    await page.getByRole('option', { name: 'Rover' }).click()
    await form.getByRole('button', { name: 'Add user' }).click()
    await expect(page.getByText(`Registration email sent to ${username}`)).toBeVisible()
    await expect(page.getByRole('row', { name: new RegExp(username) })).toContainText('No password yet')
  })

  const theirs = await browser.newPage({ baseURL: system.httpUrl })
  await test.step('they sign in with the password that they have set', async () => {
    await theirs.goto(await linkIn(mailServer, username, 'registration'))
    await setPassword(theirs, password)
    await expect(theirs.getByText('Your password is set').first()).toBeVisible()
    await theirs.goto('/login')
    await theirs.getByLabel('Username').fill(username)
    await theirs.getByLabel('Password', { exact: true }).fill(password)
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await expect(theirs).toHaveURL(/\/overview$/)
    await theirs.getByRole('link', { name: 'Devices', exact: true }).click()
    await expect(theirs.getByRole('link', { name: 'Details' }).first()).toBeVisible()
  })

  await test.step('their role loses its function: the next request is refused, and the next page is closed', async () => {
    const token = await tokenOf(theirs)
    // The call comes from their browser, which has the session cookie.
    const { request: asked } = theirs.context()
    const headers = { authorization: `Bearer ${token}` }
    const devices = () => asked.get(`${system.httpUrl}/api/Device/GetDeviceList`, { headers })
    expect((await devices()).status()).toBe(200)
    // Their page, open or loaded again, asks by the rights of last time until it hears of the present ones.
    const calls = ['Device/GetDeviceList', 'Incident/GetIncidentList', 'Live/Watch', 'View/GetViewList']
    const asked403 = calls.map((call) => `403 ${call}`)
    mayBeRefused(...asked403, '401 App/GetLastVisit', '401 Incident/GetIncidentList', '401 View/GetViewList')
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('button', { name: 'Edit Rover' }).click()
    const form = page.getByRole('dialog', { name: 'Edit role' })
    await form.getByRole('checkbox', { name: 'DeviceManager' }).uncheck()
    await form.getByRole('button', { name: 'Ok' }).click()
    await expect(page.getByRole('row', { name: /Rover – 1/ })).toBeVisible()
    expect((await devices()).status()).toBe(403)
    await theirs.reload()
    await expect(theirs.getByRole('heading', { name: 'No permissions' })).toBeVisible()
  })

  await test.step('a role in use is not removed; the user is, from their own page', async () => {
    expectRefused('409 AppRole/DelAppRole')
    await page.getByRole('button', { name: 'Remove Rover' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('The role is in use and cannot be removed.')).toBeVisible()
    await expect(page.getByRole('row', { name: /Rover – 1/ })).toBeVisible()
    await page.goto(`/users?email=${username}`)
    await page.getByRole('link', { name: `Details of ${username}` }).click()
    await expect(page.getByRole('table', { name: 'Recent activity' })).toContainText('Sign in')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Lind')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { name: 'Rosa Lind' })).toBeVisible()
    await page.getByRole('button', { name: 'More actions for this user' }).click()
    await page.getByRole('menuitem', { name: 'Delete user' }).click()
    await expect(page.getByText('Are you sure you want to delete "Rosa Lind" user?')).toBeVisible()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page).toHaveURL(/\/users\?email=/)
    await expect(page.getByText('No user matches this filter')).toBeVisible()
    expect(await usersNamed(request, await tokenOf(page), username)).toEqual([])
    expectRefused('401 App/GetClientAuthData')
    await theirs.reload()
    await expect(theirs).toHaveURL(/\/login/)
  })
  await theirs.close()
})

test('a customer is added, deactivated and activated again', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('button', { name: 'Add customer' }).click()
  const form = page.getByRole('dialog', { name: 'Add customer' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Northern Lights')
  await form.getByRole('combobox', { name: 'Country' }).fill('Norw')
  await page.getByRole('option', { name: 'Norway' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Northern Lights Norway 0 0 Active/ })).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate Northern Lights' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('row', { name: /Northern Lights/ })).toContainText('Deactivated')
  await page.getByRole('button', { name: 'Activate Northern Lights' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('row', { name: /Northern Lights/ })).toContainText('Active')
})

test("people's screens are accessible and fit, in both themes at every width", async ({ page, signInAs }) => {
  await signInAs('admin', '/users')
  const looks = await startLooks(page)
  const user = page.getByRole('link', { name: 'Details of manager@demo.example' })
  await expect(page.getByRole('row', { name: /admin@demo/ })).toBeVisible()
  const detailsPath = (await user.getAttribute('href')) ?? ''
  await looks.check('users')
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByRole('combobox', { name: 'User role' })).toBeVisible()
  await looks.check('add a user')
  await page.goto(detailsPath)
  await expect(page.getByRole('heading', { name: 'Marta Horáková' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent activity' })).toBeVisible()
  await looks.check('a user')
  await page.goto('/roles')
  await expect(page.getByRole('row', { name: /Administrator/ })).toBeVisible()
  await looks.check('roles')
  await page.getByRole('button', { name: 'Edit Administrator' }).click()
  await expect(page.getByRole('checkbox', { name: 'Analytics' })).toBeVisible()
  await looks.check('a role')
  await page.goto('/customers')
  await expect(page.getByRole('row', { name: /Moravia/ })).toBeVisible()
  await looks.check('customers')
  await page.getByRole('button', { name: 'Edit Moravia City Media' }).click()
  await expect(page.getByRole('combobox', { name: 'Country' })).toBeVisible()
  await looks.check('a customer')
})
