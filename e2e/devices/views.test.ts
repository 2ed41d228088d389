import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('devices get tags together, and a view of them is shared with a role, found by its people, and opens by itself', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  for (const name of ['Viewed gate', 'Viewed quay']) await (await connectOwnDevice(system, request, name)).disconnect()
  await signInAs('admin', '/devices?deviceName=Viewed')
  await tagBoth(page)

  // The list is filtered by tag; the file holds what is shown.
  await page.goto('/devices?tags=View+line+7&columns=name.tags&sort=name')
  const rows = page.getByRole('row', { name: /Viewed/ })
  await expect(rows).toHaveCount(2)
  await search(page, 'export devices')
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n').slice(1)).toEqual([
    '"Viewed gate";"View line 7"',
    '"Viewed quay";"View line 7"',
  ])

  await search(page, 'save as a view')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Line seven')
  await dialog.getByRole('combobox', { name: 'Shared with' }).click()
  await page.getByRole('option', { name: 'Role Device manager' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Line seven', exact: true })).toBeVisible()

  // A user of the role opens it from another page, as soon as the open menu begins to close.
  await signInAs('manager', '/devices')
  await page.getByRole('button', { name: 'More actions for this list' }).click()
  await page.getByRole('menuitem', { name: 'Columns and density' }).click()
  await page.getByRole('dialog', { name: 'Columns' }).waitFor()
  await page.keyboard.press('Escape')
  await search(page, 'line seven')
  await page.getByRole('option', { name: 'Open view Line seven' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/columns=name\.tags&view=\d+$/)
  await page.getByRole('button', { name: 'More actions for view Line seven' }).click()
  await page.getByRole('menuitem', { name: 'Make default' }).click()
  await page.goto('/devices')
  await expect(page.getByRole('button', { name: 'Line seven', exact: true })).toBeVisible()
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'More actions for view Line seven' }).click()
  await page.getByRole('menuitem', { name: 'No default' }).click()
})

async function tagBoth(page: Page) {
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Viewed gate' }).check()
  await page.getByRole('checkbox', { name: 'Select Viewed quay' }).check()
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add tags' }).click()
  const dialog = page.getByRole('dialog')
  const tags = dialog.getByRole('combobox', { name: 'Tags to add' })
  await tags.fill('View line 7')
  await tags.press('Enter')
  await dialog.getByRole('button', { name: 'Apply to 2' }).click()
  await expect(dialog.getByRole('status')).toHaveText(/2 applied/)
}

/** Types at once, without waiting for the first letter. */
async function search(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(words)
  await expect(page.getByRole('combobox', { name: /^Search devices/ })).toHaveValue(words)
}
