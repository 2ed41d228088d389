import { expect, test } from '../support/journey.ts'

/** Picks the heads that stand on more lines than they have words. A page runs it: it uses nothing from outside. */
function cutInWords(heads: readonly Element[]): string[] {
  const linesOf = (head: Element) => {
    const range = document.createRange()
    range.selectNodeContents(head)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  }
  const textOf = ({ textContent }: Element) => textContent.trim()
  const seen = heads.filter((head) => head.querySelector('.visually-hidden') === null)
  return seen.filter((head) => linesOf(head) > textOf(head).split(/\s+/).length).map(textOf)
}

test('paper has every row, dark on white, with title, time and filter, and without menu and buttons', async ({
  page,
  signInAs,
}) => {
  await page.setViewportSize({ width: 1440, height: 360 })
  await signInAs('admin', '/devices?deviceName=a&columns=model.name.address.customer.now.status.connected.alerts')
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
  await expect.poll(() => page.getByRole('columnheader').evaluateAll(cutInWords)).toEqual([])
  await page.emulateMedia({ media: 'screen' })
  await expect(head).toHaveCount(0)
})
