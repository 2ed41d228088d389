import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('a threshold raises an alert on the open list, which is acknowledged, closed and told in its history', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Too hot totem')
  await device.report('display', { internal_temp: 41.5 })
  await signInAs('admin')

  await test.step('a pending device never alerts, so it is paired', async () => {
    await page.goto(`/devices/${device.guid}/alerts`)
    await page.getByRole('button', { name: /Pending/ }).click()
    await page.getByRole('menuitem', { name: 'Paired' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByRole('button', { name: /Paired/ })).toBeVisible()
  })

  await test.step('a condition for this device', async () => {
    await page.goto(`/thresholds?deviceId=${device.id}`)
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Add condition' })
    await form.getByRole('combobox', { name: 'Field' }).fill('Internal temperature')
    await page.getByRole('option', { name: 'Internal temperature (°C)' }).first().click()
    await form.getByRole('combobox', { name: 'Operator' }).click()
    await page.getByRole('option', { name: 'greater than', exact: true }).click()
    await form.getByRole('textbox', { name: 'Value' }).fill('60')
    await expect(form.getByRole('region', { name: 'What would it have done?' })).toContainText('7 days')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('row', { name: /Internal temperature/ })).toContainText('60 °C')
  })

  await test.step('the alert appears while the list is open', async () => {
    await page.goto(`/alerts?deviceId=${device.id}`)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expect(page.getByText('No alert matches this filter')).toBeVisible()
    await device.report('display', { internal_temp: 61.5 })
    const row = page.getByRole('row', { name: /Display too hot: 61.5 °C, limit 60 °C/ })
    await expect(row).toContainText('Active', { timeout: 5_000 })
    await device.report('display', { internal_temp: 50.25 })
    await expect(row).toContainText('Not Active', { timeout: 5_000 })
  })

  await test.step('details by keyboard, acknowledged with a note', async () => {
    await page.getByRole('row', { name: /Display too hot/ }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toContainText('61.5 °C')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Fan is being replaced')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(page.getByRole('dialog')).toContainText('Fan is being replaced')
    await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click()
    await expect(page).toHaveURL(/\/alerts\/alert-details\?data=/)
    await expect(page.getByRole('region', { name: 'History' })).toContainText('Acknowledged')
    await expect(page.getByRole('img', { name: /threshold 60 °C/ })).toBeAttached()
  })

  await test.step('closed from the list of the device', async () => {
    await page.goto(`/devices/${device.guid}/alerts`)
    await page.getByRole('checkbox', { name: /^Select alert/ }).check()
    await page.getByRole('button', { name: 'Close selected (1)' }).click()
    await page.getByRole('combobox', { name: 'Resolution' }).click()
    await page.getByRole('option', { name: 'Resolved on site' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('New fan')
    await page.getByRole('button', { name: 'Close alert' }).click()
    await expect(page.getByText('The alert is closed.')).toBeVisible()
    await expect(page.getByText('There are no opened alerts')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('region', { name: 'History' })).toContainText('New fan')
  })
  await device.disconnect()
})

test('a manager finds alerts, and no way to thresholds', async ({ page, signInAs }) => {
  await signInAs('manager')
  await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Alert Thresholds' })).toHaveCount(0)
  await page.goto('/thresholds')
  await expect(page.getByText('You do not have permission to see this page.')).toBeVisible()
})
