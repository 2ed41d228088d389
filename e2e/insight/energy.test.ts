import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'

test('a price is set for everybody, and energy and panels of a customer are read', async ({ page, signInAs }) => {
  await signInAs('admin', '/analytics')
  await page.getByRole('link', { name: 'Energy' }).click()
  await expect(page.getByRole('region', { name: 'Energy', exact: true })).toBeVisible()
  const year = new Date().toISOString().slice(0, 4)
  await expect(
    page.getByText(new RegExp(`, ${year}$|had no devices in ${year}|Nothing is counted in ${year} yet`)).first(),
  ).toBeVisible()
  await page.getByRole('button', { name: /this list/ }).click()
  await page.getByRole('menuitem', { name: 'Prices' }).click()
  const prices = page.getByRole('dialog', { name: 'Prices' })
  await prices.getByRole('textbox', { name: /^Prices/ }).fill(`${year}-01-01: 0.2834 EUR`)
  await prices.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Prices saved')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('link', { name: 'Panel life' }).click()
  await expect(page.getByText(/^Displays of |has no displays here/).first()).toBeVisible()
  expect(await violations(page)).toEqual([])
})
