import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

test('a component is added, another removed, and both are kept only after the save', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop with parts')
  await signInAs('admin', `/devices/${device.guid}/device-components`)
  await page.getByRole('button', { name: 'Add new' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ok' }).click()
  await expect(dialog.getByText('Model is required')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Network relay' }).click()
  await dialog.getByRole('textbox', { name: 'Label', exact: true }).fill('Heater relay')
  await dialog.getByRole('button', { name: 'Ok' }).click()
  await expect(page.getByRole('listitem', { name: 'Network relay 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Network switch 2' }).click()

  await page.reload()
  await expect(page.getByRole('listitem', { name: 'Network switch 2' })).toBeVisible()
  await expect(page.getByRole('listitem', { name: 'Network relay 1' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove Network switch 2' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('The components are saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('listitem', { name: 'UPS 1' })).toBeVisible()
  await expect(page.getByRole('listitem', { name: 'Network switch 2' })).toHaveCount(0)
  await device.disconnect()
})

test('a second UPS is refused in its own words (rules/components 6)', async ({ page, request, system, signInAs }) => {
  const device = await connectOwnDevice(system, request, 'Stop with one UPS')
  await signInAs('admin', `/devices/${device.guid}/device-components`)
  await page.getByRole('button', { name: 'Add new' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Model' }).click()
  // The refusal comes at once: nobody fills in a form that is refused in any case.
  await page.getByRole('option', { name: 'UPS' }).click()
  await expect(page.getByText('Add component failed')).toBeVisible()
  await expect(page.getByText('Only one UPS component is allowed per device.')).toBeVisible()
  await device.disconnect()
})

test('a manager has no Components tab, and its address shows nothing to them', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Stop of the manager')
  await signInAs('manager', `/devices/${device.guid}/device-components`)
  await expect(page.getByText('You do not have permission to see this page.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Components' })).toHaveCount(0)
  await device.disconnect()
})
