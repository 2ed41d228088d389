import { CLIENT, startIdentityProvider } from '#testing/identityProvider.ts'
import { expect, test } from '../support/journey.ts'

test('a provider is set up, and whoever it knows signs in by it, bound to their browser, and lands where they wanted', async ({
  page,
  context,
  system,
  signInAs,
  complaints,
}) => {
  await signInAs('admin', '/single-sign-on')
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = page.getByRole('dialog')
  const redirect = await form.locator('code', { hasText: `${system.httpUrl}/signed-in/` }).textContent()
  const identity = await startIdentityProvider(redirect ?? '')
  try {
    await form.getByRole('textbox', { name: 'Name' }).fill('Street ID')
    await form.getByLabel('Issuer').fill(identity.issuer)
    await form.getByLabel('Client ID').fill(CLIENT.clientId)
    await form.getByLabel('Client secret').first().fill(CLIENT.clientSecret)
    await form.getByLabel('Mail domains').fill('street.example')
    await form.getByLabel('Value 1 of the claim').fill('field')
    await form.getByRole('combobox', { name: 'Role of value 1' }).click()
    await page.getByRole('option', { name: 'Device manager' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('table', { name: 'Identity providers' })).toContainText('Street ID')

    await context.clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/locations')
    await expect(page).toHaveURL(/\/login/)
    identity.next = { sub: '1', email: 'ann@street.example', email_verified: true, groups: ['field'] }
    await page.getByLabel('Username').fill('Ann@street.example')
    await page.getByLabel('Password', { exact: true }).focus()
    await page.getByRole('button', { name: 'Continue with Street ID' }).click()
    await expect(page.getByRole('button', { name: 'user menu' })).toContainText('ann@street.example')
    await expect(page).toHaveURL(/\/locations/)
    expect((await context.cookies(`${system.httpUrl}/api/`)).filter(({ name }) => /half/.test(name))).toHaveLength(1)
    await page.reload()
    await expect(page.getByRole('button', { name: 'user menu' })).toContainText('ann@street.example')

    await page.goto(`/signed-in/${identity.redirectId}?code=stolen&state=stolen`)
    await expect(page.getByText('This sign-in did not begin in this tab')).toBeVisible()
    await expect(page).toHaveURL(/\/signed-in\/[\da-f-]+$/)
    await page.goto('/signed-in?code=stolen&state=stolen')
    await expect(page.getByText('sent you to an address that is no longer used')).toBeVisible()
    await expect(page).toHaveURL(/\/signed-in$/)
  } finally {
    await identity.stop()
    // The page of the provider is another site, on purpose.
    const others = complaints.filter((one) => !one.startsWith(`fetched ${identity.issuer}`))
    complaints.splice(0, complaints.length, ...others)
  }
})
