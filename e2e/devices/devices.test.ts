import { expect, test } from '../support/journey.ts'

test('filters, sorting and the page live in the address and come back with it', async ({ page, signInAs }) => {
  await signInAs('admin', '/devices')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Details' }) })
  // 14 simulated devices and the machine itself are listed; other journeys may have added theirs.
  await expect(rows.nth(14)).toBeVisible()
  await page.getByPlaceholder('Name').fill('r')
  await expect(page).toHaveURL(/deviceName=r/)
  await expect(page.getByText(/1–\d+ of \d+/)).toBeVisible()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=name/)
  const shown = await rows.allTextContents()
  expect(shown.length).toBeGreaterThan(1)
  await page.reload()
  await expect(rows).toHaveCount(shown.length)
  await expect(page.getByPlaceholder('Name')).toHaveValue('r')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).not.toHaveURL(/deviceName/)
})

test('names of models and devices are not cut on a screen of 1440 pixels', async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAs('admin', '/devices')
  await expect(page.getByRole('cell', { name: 'Info kiosk, three displays' }).first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const cut = await page.getByRole('cell').evaluateAll((cells) =>
    cells
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent)
      // Other journeys make devices whose names are cut on purpose.
      .filter((text) => !text?.includes(' of a long name ')),
  )
  expect(cut).toEqual([])
})

test('a row opens the status and Details opens the details', async ({ page, signInAs }) => {
  await signInAs('manager', '/devices')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page).toHaveURL(/\/details$/)
  await page.goBack()
  await page.getByRole('row').nth(2).dblclick()
  await expect(page).toHaveURL(/\/status$/)
})

test('a customer user sees only their own devices and no customer filter', async ({ page, signInAs }) => {
  await signInAs('customer', '/devices')
  await expect(page.getByPlaceholder('Name')).toBeVisible()
  await expect(page.getByPlaceholder('All customers')).toHaveCount(0)
  const total = await page.getByText(/1–\d+ of \d+/).textContent()
  const own = Number(total?.match(/of (\d+)/)?.[1])
  expect(own).toBeGreaterThanOrEqual(3)
  expect(own).toBeLessThan(14)
})

test('an admin adds a device and takes its configuration away', async ({ page, signInAs }) => {
  await signInAs('admin', '/devices')
  await page.getByRole('button', { name: 'Add new' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Add|Ok|Save/ }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Corner of the market')
  await dialog
    .getByRole('combobox', { name: 'Customer' })
    .or(dialog.getByRole('textbox', { name: 'Customer' }))
    .click()
  await page.getByRole('option').first().click()
  await dialog
    .getByRole('combobox', { name: 'Model' })
    .or(dialog.getByRole('textbox', { name: 'Model' }))
    .click()
  await page.getByRole('option', { name: 'Totem ALT-1920', exact: true }).click()
  await dialog.getByRole('button', { name: /Add|Ok|Save/ }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /Download/ }).click()
  expect((await download).suggestedFilename()).toBe('Corner of the market.json')
})
