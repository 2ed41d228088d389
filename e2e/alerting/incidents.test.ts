import type { APIRequestContext } from '@playwright/test'
import { asAdmin, connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import type { RunningSystem } from '../support/system.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const PAIRED = 2
// The list of alerts needs this width for its incidents.
test.use({ viewport: { width: 1600, height: 900 } })

const HOT = { internal_temp: 61.5 }

interface Named {
  readonly id: number
  readonly attTypeId: number
  readonly dbName: string
  readonly code: string
}

function named(all: readonly Named[], isMeant: (one: Named) => boolean): Named {
  const found = all.find(isMeant)
  if (!found) throw new Error('The system offers no such field or operator.')
  return found
}

/** Connects two devices at one address, each with a condition of its own. */
async function connectSite(system: RunningSystem, request: APIRequestContext, place: string) {
  const headers = await asAdmin(system)
  const post = async (path: string, data: object) => {
    const answer = await request.post(`${system.httpUrl}/api/${path}`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  const read = async (path: string) => (await request.get(`${system.httpUrl}/api/${path}`, { headers })).json()
  const devices = []
  for (const name of ['north', 'south']) {
    const device = await connectOwnDevice(system, request, `${place} ${name}`)
    const details = { id: device.id, guid: device.guid, name: device.name, address: place, timeZone: null, tags: [] }
    await post('Device/SetDeviceDetails', details)
    await post('Device/SetDeviceStatus', { id: device.id, statusId: PAIRED })
    const fields = await read(`EventType/GetDeviceEtFieldList?deviceId=${device.id}`)
    const { id: eventTypeFieldId, attTypeId } = named(fields, ({ dbName }) => dbName === 'd_internal_temp')
    const operators = await read(`Alert/GetOperatorList?attTypeId=${attTypeId}`)
    const { id: operatorId } = named(operators, ({ code }) => code === 'GT')
    await post('Alert/SetAlertCondition', {
      deviceId: device.id,
      eventTypeFieldId,
      operatorId,
      valueDec: 60,
      severityId: 1,
    })
    await device.report('display', { internal_temp: 40 })
    devices.push(device)
  }
  return devices
}

test('what happens at one site is one incident: taken, noted, snoozed, split, merged, and told in the audit log', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const place = 'Incident quay 12'
  const [north, south] = await connectSite(system, request, place)
  await signInAs('admin')
  // The address narrows the list to this place.
  const row = page.getByRole('list', { name: 'Active' }).getByRole('listitem')

  await test.step('the second alert is folded into the incident of the first while the list is open', async () => {
    await page.goto(`/incidents?text=${encodeURIComponent(place)}`)
    await expect(page.getByText('No incident matches this filter')).toBeVisible()
    await north?.report('display', HOT)
    await expect(row).toHaveCount(1, { timeout: 10_000 })
    await south?.report('display', HOT)
    await expect(row).toContainText('2 alerts', { timeout: 10_000 })
    await expect(row).toHaveCount(1)
  })

  await test.step('the list of alerts says which of the two is the root cause', async () => {
    await page.goto(`/alerts?alertText=${encodeURIComponent(place)}`)
    const alerts = page.getByRole('table', { name: 'Alerts' })
    await expect(alerts.getByRole('link', { name: 'cause of 1' })).toHaveCount(1)
    await alerts.getByRole('link', { name: 'one of 2' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`${place}: `)
    await expect(page.getByRole('link', { name: `${place} north` }).first()).toBeVisible()
  })
  const url = page.url()
  const happened = page.getByRole('region', { name: 'Timeline', exact: true })

  await test.step('taken, with a note, and snoozed', async () => {
    await page.getByRole('button', { name: 'Take ownership' }).click()
    await expect(page.getByText('You own this incident.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Take ownership' })).toHaveCount(0)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Note' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Shutters are closed by hand')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(happened).toContainText('Shutters are closed by hand')
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: 'Until tomorrow 8:00' }).click()
    await expect(page.getByText(/^Snoozed until .* 08:00$/)).toBeVisible()
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: 'Wake' }).click()
    await expect(happened).toContainText('Snooze ended')
  })

  await test.step('one alert is split off, and merged again', async () => {
    await page
      .getByRole('row', { name: new RegExp(`${place} south`) })
      .getByRole('checkbox')
      .check()
    await page.getByRole('button', { name: 'Split off (1)' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('1 alert is now')).toBeVisible()
    await page.goto(`/incidents?text=${encodeURIComponent(place)}`)
    await expect(row).toHaveCount(2)
    await page.goto(url)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Merge' }).click()
    const form = page.getByRole('dialog', { name: 'Merge incidents' })
    await form.getByRole('combobox', { name: 'Other incidents' }).fill(place)
    await page.getByRole('option').filter({ hasText: place }).first().click()
    await expect(form.getByText(/become one incident/)).toBeVisible()
    await form.getByRole('button', { name: 'Merge', exact: true }).click()
    await expect(happened).toContainText('Merged')
    await expect(page.getByRole('region', { name: 'Its alerts' }).getByText('2 alerts')).toBeVisible()
  })

  await test.step('its open alerts are closed with a resolution, and so is the incident', async () => {
    await north?.report('display', { internal_temp: 40 })
    await south?.report('display', { internal_temp: 40 })
    await expect(page.getByText('Resolved', { exact: true }).first()).toBeVisible({ timeout: 10_000 })
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('combobox', { name: 'Resolution' }).click()
    await page.getByRole('option', { name: 'Resolved on site' }).click()
    await page.getByRole('button', { name: 'Close 2 alerts' }).click()
    await expect(page.getByText('2 alerts are closed.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Close', exact: true })).toHaveCount(0)
  })

  await test.step('the audit log has who did what', async () => {
    await page.getByRole('link', { name: 'Audit log' }).last().click()
    const log = page.getByRole('table', { name: 'Audit log' })
    await expect(log.getByRole('row').filter({ hasText: 'Incident' }).first()).toContainText('admin@demo.example')
    await expect(log).toContainText('Shutters are closed by hand')
  })
  await north?.disconnect()
  await south?.disconnect()
})

test('an incident is found, opened and noted on by keys alone, and its page is accessible and fits in every look', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  test.setTimeout(240_000)
  const place = `Incident quay 14 ${'of a long name '.repeat(6)}`.trim()
  const site = await connectSite(system, request, place)
  for (const device of site) await device.report('display', HOT)
  await signInAs('admin', '/overview')
  await expect(page.getByRole('region', { name: 'Needs attention' }).getByRole('link').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page.getByRole('link', { name: 'Incidents', exact: true })).toHaveAttribute('aria-current', 'page')
  await page.getByPlaceholder('Root cause or place').fill('Incident quay 14')
  const row = page.getByRole('list', { name: 'Active' }).getByRole('listitem')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('2 alerts', { timeout: 10_000 })
  await row.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(place)
  await page.getByRole('button', { name: 'More', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Note' }).press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type(`Seen ${'x'.repeat(300)}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Timeline', exact: true })).toContainText('Seen xxx')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const looks = await startLooks(page)
  await looks.check('an incident')
  for (const device of site) await device.disconnect()
})
