import type { APIRequestContext, Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'
import { linkIn, setPassword } from '../support/mails.ts'
import { signIn } from '../support/signIn.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const FIRST_PASSWORD = 'seven lamps over the harbour'
const SECOND_PASSWORD = 'eight lamps over the harbour'

async function signInWith(page: Page, username: string, password: string) {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'user menu' })).toBeVisible()
}

async function openUserMenu(page: Page, item: string) {
  await page.getByRole('button', { name: 'user menu' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  return page.getByRole('dialog', { name: item })
}

/** Adds a user without a password, as the people page does; the mail with the link is sent. */
async function addUser(request: APIRequestContext, username: string, password: string) {
  const login = await request.post('/api/App/Login', { data: { username: 'admin@demo.example', password } })
  const { accessToken, roleId } = await login.json()
  const headers = { authorization: `Bearer ${accessToken}` }
  const body = { username, firstName: 'Nina', lastName: 'Novak', roleId }
  const id = await (await request.post('/api/AppUser/SetAppUser', { headers, data: body })).json()
  const sent = await request.post('/api/AppUser/SendRegistrationEmail', { headers, data: { id } })
  expect(await sent.json()).toBe(username)
}

test('an invited user sets a password, changes it while another session ends, and gets a new one by mail', async ({
  page,
  browser,
  request,
  system,
  mailServer,
  expectRefused,
}) => {
  const username = 'nina@harbour.example'
  await addUser(request, username, system.password)

  await test.step('the activation link leads to a password, once', async () => {
    const link = await linkIn(mailServer, username, 'registration')
    expect(link.startsWith(`${system.httpUrl}/`)).toBe(true)
    await page.goto(link)
    await expect(page.getByLabel('Username')).toHaveValue(username)
    // The token is gone from the address and from the entry of the history.
    expect(page.url()).toBe(`${system.httpUrl}/registration`)
    expect(await page.evaluate(() => JSON.stringify([location.href, history.state, document.referrer]))).not.toContain(
      link.split('#token=')[1],
    )
    expect(await violations(page)).toEqual([])
    expectRefused('400 App/SetPasswordByToken')
    await setPassword(page, 'Password12345678')
    await expect(page.getByText('too common')).toBeVisible()
    await setPassword(page, 'iloveyousomuch123')
    await expect(page.getByText('too easy to guess')).toBeVisible()
    await setPassword(page, FIRST_PASSWORD)
    await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signInWith(page, username, FIRST_PASSWORD)
    const again = await browser.newPage({ baseURL: system.httpUrl })
    expectRefused('400 App/CheckPasswordLink')
    await again.goto(link)
    await expect(again.getByText('This link does not work')).toBeVisible()
    await again.close()
  })

  await test.step('changing it ends the other session, on its next request', async () => {
    const other = await browser.newPage({ baseURL: system.httpUrl })
    await signInWith(other, username, FIRST_PASSWORD)
    const dialog = await openUserMenu(page, 'Change password')
    await dialog.getByLabel('Old password').fill(FIRST_PASSWORD)
    await dialog.getByLabel('New password', { exact: true }).fill(SECOND_PASSWORD)
    await dialog.getByLabel('Repeat new password').fill(`${SECOND_PASSWORD}?`)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(dialog.getByText('New passwords do not match.')).toBeVisible()
    await dialog.getByLabel('Repeat new password').fill(SECOND_PASSWORD)
    // The other tab may make a call of its own before it is redirected.
    expectRefused('401')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password was successfully changed.')).toBeVisible()
    await other.goto('/devices')
    await expect(other).toHaveURL(/\/login/)
    await other.close()
  })

  await test.step('sessions are listed, and another one is ended', async () => {
    const other = await browser.newPage({ baseURL: system.httpUrl })
    await signInWith(other, username, SECOND_PASSWORD)
    await other.goto('/devices')
    await expect(other.getByText('Live', { exact: true })).toBeVisible()
    const dialog = await openUserMenu(page, 'Sessions')
    await expect(dialog.getByText('This session')).toBeVisible()
    await dialog.getByRole('button', { name: 'End session: Chrome on Linux' }).click()
    await expect(page.getByText('The session is ended')).toBeVisible()
    // Nobody touches the other page: its live stream is closed.
    await expect(other).toHaveURL(/\/login/)
    await other.close()
    await page.keyboard.press('Escape')
  })

  await test.step('a forgotten password comes by mail, and ends this session', async () => {
    const visitor = await browser.newPage({ baseURL: system.httpUrl })
    await visitor.goto('/login')
    await visitor.getByRole('link', { name: 'Forgotten your password?' }).click()
    await visitor.getByLabel('Username').fill(username)
    await visitor.getByRole('button', { name: 'Send link' }).click()
    await expect(visitor.getByText('If there is an account of this name')).toBeVisible()
    await visitor.goto(await linkIn(mailServer, username, 'reset-password'))
    await expect(visitor).toHaveURL(`${system.httpUrl}/reset-password`)
    await setPassword(visitor, FIRST_PASSWORD)
    await expect(visitor.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
    await page.goto('/devices')
    await expect(page).toHaveURL(/\/login/)
    await signInWith(visitor, username, FIRST_PASSWORD)
    await visitor.close()
  })
})

test('the audit log is filtered, paged, opened and exported, and times follow the chosen zone', async ({
  page,
  request,
  system,
}) => {
  const login = await request.post('/api/App/Login', {
    data: { username: 'admin@demo.example', password: system.password },
  })
  const headers = { authorization: `Bearer ${(await login.json()).accessToken}` }
  for (let n = 0; n < 55; n += 1) {
    expect((await request.post('/api/App/SetTimeZone', { headers, data: { timeZone: '' } })).status()).toBe(200)
  }
  await signIn(page, 'admin', system)
  await page.goto('/audit-log?actionId=2&entityTypeId=3&entityName=admin@demo')
  const table = page.getByRole('table', { name: 'Audit log' })
  const rows = table.locator('tbody tr')
  await expect(rows).toHaveCount(50)
  await expect(page.getByRole('button', { name: 'Previous page' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows).toHaveCount(5)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await page.goBack()
  await expect(rows).toHaveCount(50)

  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('combobox', { name: 'User' }).click()
  await page.getByRole('combobox', { name: 'User' }).fill('admin@demo')
  await page.getByRole('option', { name: 'admin@demo.example' }).click()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/userId=\d+/)
  await expect(rows.first()).toContainText('Sign in')
  const shown = await rows.first().locator('td').first().textContent()
  await page.reload()
  await expect(rows.first()).toContainText(shown ?? '-')
  expect(await violations(page)).toEqual([])

  await rows.first().getByText('Sign in').click()
  await expect(page.getByRole('dialog', { name: 'Audit entry' })).toContainText('App/Login')
  await page.keyboard.press('Escape')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More actions for this list' }).click()
  await page.getByRole('menuitem', { name: 'Export (csv)' }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit_\d{4}-\d\d-\d\d\.csv$/)

  const dialog = await openUserMenu(page, 'Time zone')
  await dialog.getByRole('combobox', { name: 'Show times in' }).fill('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Times are shown in the chosen zone.')).toBeVisible()
  await expect(rows.first()).not.toContainText(shown ?? '-')
  await page.reload()
  await expect(rows.first()).not.toContainText(shown ?? '-')
})

test('what belongs to an account is accessible and fits, in both themes, wide and narrow', async ({
  page,
  system,
  expectRefused,
}) => {
  expectRefused('400 App/CheckPasswordLink')
  await page.goto('/reset-password')
  const looks = await startLooks(page, { widths: [1440, 390] })
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
  await looks.check('forgotten')
  await page.goto('/registration')
  await expect(page.getByText('This link does not work')).toBeVisible()
  await looks.check('bad-link')
  await signIn(page, 'admin', system, '/audit-log')
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible()
  await looks.check('audit-log')
  for (const item of ['Change password', 'Sessions', 'Time zone']) {
    await expect(await openUserMenu(page, item)).toBeVisible()
    const button = page.getByRole('dialog').getByRole('button', { name: /^(Cancel|End all other sessions)$/ })
    await expect(button).toBeVisible()
    await looks.check(item)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: item })).toHaveCount(0)
  }
})
