import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'

test('a rule set is used, its nights are held against the settings, and an emergency says whom it reaches', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin', '/light-statements')
  await page.getByRole('link', { name: 'Light rules' }).click()
  await page.getByRole('button', { name: 'Add rule set' }).click()
  const form = page.getByRole('dialog', { name: 'Add rule set' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Nights of the harbour')
  await form.getByRole('textbox', { name: 'Source' }).fill('Permit 7')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Nights of the harbour' })).toBeVisible()
  await page.getByRole('link', { name: 'Nights of the harbour' }).click()
  await expect(page.getByRole('table', { name: 'Settings that break the rule set' })).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Emergency dark' }).click()
  const dialog = page.getByRole('dialog', { name: 'Emergency dark' })
  await expect(dialog.getByRole('button', { name: 'Darken displays' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Place' }).fill('Oslo')
  await expect(dialog.getByText(/display.* of .* device/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Delete Nights of the harbour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('link', { name: 'Nights of the harbour' })).toHaveCount(0)
})
