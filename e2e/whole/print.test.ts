import { expect, test } from '../support/journey.ts'

test('paper has every row, dark on white, with title, time and filter, and without menu and buttons', async ({
  page,
  signInAs,
}) => {
  await page.setViewportSize({ width: 1440, height: 360 })
  await signInAs('admin', '/devices?deviceName=a')
  const rows = page.getByRole('row')
  await expect(rows.nth(4)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const head = page.locator('.print-head')
  await expect(head).toContainText('Devices')
  await expect(head).toContainText(/Printed \d\d\.\d\d\.\d\d \d\d:\d\d/)
  await expect(head).toContainText('Name: a')
  for (const left of ['.shell-header', '.shell-sidebar', '.filter-bar', '.pager']) {
    await expect(page.locator(left)).toBeHidden()
  }
  await expect(page.getByRole('button', { name: 'Add new' })).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
  expect(await page.locator('main').evaluate((main) => main.getBoundingClientRect().left)).toBe(0)
  const scroller = page.locator('.table-scroll').first()
  expect(await scroller.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true)
  // A browser repeats a head on each sheet only where it holds no box of a button.
  const display = (button: Element) => getComputedStyle(button).display
  expect(await page.locator('.table-sort').first().evaluate(display)).toBe('contents')
  // No column is cut to a few letters: what has no room stands on a second line.
  await page.setViewportSize({ width: 1040, height: 700 })
  const narrow = (cells: readonly Element[]) =>
    cells.filter((cell) => cell.getBoundingClientRect().width < 50).map(({ textContent }) => textContent)
  await expect.poll(() => page.getByRole('columnheader').evaluateAll(narrow)).toEqual([])
  await page.emulateMedia({ media: 'screen' })
  await expect(head).toHaveCount(0)
})
