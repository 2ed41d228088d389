import { expect, test } from '../support/journey.ts'

test('at an address in plain HTTP that is not of this machine the browser complains of nothing', async ({
  context,
  system,
  complaints,
}) => {
  // The address leads to this machine, and browsers trust it no more than any other.
  const address = `http://0.0.0.0:${new URL(system.httpUrl).port}`
  const page = await context.newPage()
  await page.goto(`${address}/login`)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await page.getByLabel('Username').fill('manager@demo.example')
  await page.getByLabel('Password', { exact: true }).fill(system.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/overview$/)
  await page.goto(`${address}/devices`)
  await expect(page.getByRole('heading', { name: 'Devices' })).toBeVisible()
  expect(complaints).toEqual([])
})
