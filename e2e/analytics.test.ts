import { expect, test } from './support/journey.ts'

test('an analyst draws a metric, zooms, goes back, and a pasted link shows the same', async ({ page, signInAs }) => {
  await signInAs('analyst')
  await expect(page).toHaveURL(/\/analytics/)
  await expect(page.getByText('No data')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Devices' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add metric' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('combobox', { name: 'Metric' }).click()
  await page
    .getByRole('option', { name: /temperature/ })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await page.getByRole('button', { name: /Choose a period/ }).click()
  await page.getByRole('menuitem', { name: 'Last 7 days' }).click()
  await page.getByRole('button', { name: /Reload/ }).click()
  const plot = page.locator('.u-over')
  await expect(plot).toBeVisible()
  const box = await plot.boundingBox()
  if (!box) throw new Error('the chart has no place')
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 80, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/zoom=/)
  await page.goBack()
  await expect(page).not.toHaveURL(/zoom=/)

  const link = page.url()
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('wayside.analytics')) localStorage.removeItem(key)
  })
  await page.goto(link)
  await expect(page.getByRole('table', { name: 'Metrics' }).getByRole('row')).toHaveCount(2)
  await expect(plot).toBeVisible()
})

test('who may not open Analytics finds no way to it', async ({ page, signInAs }) => {
  await signInAs('manager')
  await expect(page.getByRole('link', { name: 'Devices' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Analytics' })).toHaveCount(0)
  await page.goto('/analytics')
  await expect(page.getByText('You do not have permission to see this page.')).toBeVisible()
})

test('a hostile link shows the page and nothing else', async ({ page, signInAs }) => {
  await signInAs('analyst')
  for (const data of ['{"metric', '[[]]', '{"metric":{"deviceId":{},"metricId":"<img src=x onerror=alert(1)>"}}']) {
    await page.goto(`/analytics?data=${encodeURIComponent(data)}`)
    await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
  }
})
