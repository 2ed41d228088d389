import { violations } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'

test('a month of which nothing is counted says so, its draft is saved, and it cannot be issued', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin', '/analytics')
  await page.getByRole('link', { name: 'Light statements' }).click()
  await expect(page.getByText(/ was owed no light in /)).toBeVisible()
  await page.getByRole('combobox', { name: 'Month' }).click()
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/month=\d{4}-\d{2}/)
  // Until its answer comes the former month stays, dimmed.
  const month = new Date().toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  // A day of the demo may have been counted meanwhile.
  await expect(page.getByText(new RegExp(`was owed no light in ${month}|, ${month}$`)).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Issue/ })).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  const [draft] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Draft (PDF)' }).click(),
  ])
  expect(draft.suggestedFilename()).toMatch(/draft\.pdf$/)
})

test('a list of plays is uploaded, its bad line left out, and the signed answer saved', async ({ page, signInAs }) => {
  await signInAs('admin', '/light-statements')
  await page.getByRole('link', { name: 'Proof of light' }).click()
  const lines = ['device,from,seconds,play', '999999999,2026-11-01T17:00:00Z,15,spot-1', '999999999,noon,15,spot-2']
  const file = { name: 'plays.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('row', { name: /^3 from is no moment with a time zone/ })).toBeVisible()
  await page.getByRole('button', { name: 'Leave out 1 line, prove 1 play' }).click()
  await expect(page.getByText('No such device at that time')).toBeVisible()
  await expect(page.getByText(/^Signed .* by key [0-9a-f]{16}\./)).toBeVisible()
  expect(await violations(page)).toEqual([])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download signed (json)' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^lightProof_\d{4}-\d{2}-\d{2}\.json$/)
})
