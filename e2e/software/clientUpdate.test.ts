import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page } from '@playwright/test'
import { demoDevice } from '#server/demo/demoDevices.ts'
import { connectOwnDevice, type OwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { makeReleases, type Releases } from '../support/releases.ts'
import { startLooks } from '../support/themesAndWidths.ts'

/** Drops a file on the page, as from a folder of the desktop. */
async function dropFile(page: Page, file: string) {
  const content = readFileSync(file).toString('base64')
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const dragged = new DataTransfer()
      dragged.items.add(new File([bytes], name, { type: 'text/javascript' }))
      return dragged
    },
    [basename(file), content] as const,
  )
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Drop the release here')).toBeVisible()
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}

/** Returns the update that a device is assigned, once it is. */
async function offerTo(own: OwnDevice): Promise<string> {
  let updateId: string | undefined
  own.client.on('message', (topic, payload) => {
    if (topic.endsWith('/settings')) updateId = JSON.parse(payload.toString()).client?.updateId ?? updateId
  })
  await own.client.subscribeAsync(`v1/devices/${own.guid}/settings`, { qos: 1 })
  await expect.poll(() => updateId, { timeout: 30_000 }).toBeDefined()
  return String(updateId)
}
const tell = (own: OwnDevice, updateId: string, step: string, more: object = {}) =>
  own.client.publishAsync(
    `v1/devices/${own.guid}/replies/client-${updateId}`,
    JSON.stringify({ updateId, step, version: '1.0.0', receivedBytes: null, reason: null, ...more }),
    { qos: 1 },
  )
const yes = (page: Page) => page.getByRole('button', { name: 'Yes' }).click()
const progress = (page: Page) => page.getByRole('img', { name: /^All devices:/ })

test.describe.configure({ mode: 'serial' })

let releases: Releases
test.beforeAll(async ({ system }) => {
  releases = await makeReleases(system)
})

test('a release is uploaded; a damaged one, one that is not newer and one that is none are refused with the reason', async ({
  page,
  signInAs,
  expectRefused,
}) => {
  expectRefused('400 Release/UploadRelease')
  await signInAs('admin')
  await page.getByRole('link', { name: 'Device software' }).click()
  await expect(page.getByText('There is no release yet')).toBeVisible()
  const input = page.locator('input[type="file"]')
  const refusal = page.getByRole('alert').filter({ hasText: 'was rejected' })

  await input.setInputFiles(releases.damagedFile)
  await expect(refusal).toContainText('damaged.mjs was rejected.')
  await expect(refusal).toContainText(/damaged/)
  await expect(page.getByText('There is no release yet')).toBeVisible()

  await input.setInputFiles(releases.files[0] as string)
  const row = page.getByRole('row', { name: /7\.0\.1/ })
  await expect(row).toContainText('Default target')
  await expect(row).toContainText('admin@demo.example')
  await expect(refusal).toHaveCount(0)

  await dropFile(page, releases.files[0] as string)
  await expect(refusal).toContainText('wayside-client-7.0.1.mjs was rejected.')
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await expect(refusal).toContainText('notes.txt was rejected.')
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('selected devices are updated: Updating while it runs, then as before; who will not is told', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const own = await connectOwnDevice(system, request, 'Updating stop')
  await signInAs('admin', '/devices')
  const headerButton = page.getByRole('button', { name: 'Update client', exact: true })
  await headerButton.first().click()
  const bar = page.getByRole('region', { name: 'Selection' })
  const send = bar.getByRole('button', { name: 'Update client' })
  await send.click()
  await expect(page.getByText('No devices selected')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Updating stop' }).check()
  await page.getByRole('checkbox', { name: `Select ${demoDevice(0).name}` }).check()
  await expect(bar.getByRole('status')).toContainText('2 selected')
  await send.click()
  await expect(page.getByText('Update the client of 2 devices to 7.0.1?')).toBeVisible()
  await yes(page)
  await expect(page.getByText('2 devices are being updated.')).toBeVisible()

  const row = page.getByRole('row', { name: /Updating stop/ })
  const updateId = await offerTo(own)
  await tell(own, updateId, 'downloading', { receivedBytes: 250_000 })
  await expect(row).toContainText('Updating')
  await row.getByRole('link', { name: 'Details' }).click()
  await expect(page.getByText('Client 1.0.0')).toBeVisible()
  await expect(page.getByText(/Downloads 7\.0\.1: 250 kB of/)).toBeVisible()
  await tell(own, updateId, 'done', { version: '7.0.1' })
  await expect(page.getByText('Client 7.0.1')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Status: Pending. Change it' })).toBeVisible()

  await page.goto('/devices')
  await headerButton.first().click()
  await page.getByRole('checkbox', { name: 'Select Updating stop' }).check()
  await send.click()
  const refusal = page.getByRole('dialog', { name: 'Update client' })
  await expect(refusal).toContainText('"Updating stop": already runs 7.0.1')
  await refusal.getByRole('button', { name: 'Ok' }).click()

  // The simulated device has downloaded, verified and started it.
  await page.goto('/device-software/rollouts')
  const both = page.getByRole('img', { name: 'Update to 7.0.1: 2 observed' })
  await expect(both).toBeVisible({ timeout: 60_000 })
  // The rollout lasts until both have kept running.
  await expect(page.getByRole('row', { name: /7\.0\.1/ })).toContainText('Running')
  await own.disconnect()
})

test('waves: a first group, a pause, a device that fails and halts it, a retry, and a stop', async ({
  page,
  request,
  system,
  signInAs,
}) => {
  const own = await connectOwnDevice(system, request, 'Wave stop')
  await signInAs('admin', '/device-software/releases')
  await page.locator('input[type="file"]').setInputFiles(releases.files[1] as string)
  await expect(page.getByRole('row', { name: /7\.0\.2/ })).toContainText('Default target')

  await test.step('the plan says what it means, and is started after a question', async () => {
    await page.goto('/device-software/rollouts')
    await page.getByRole('link', { name: 'New update' }).click()
    await expect(page.getByText(/devices will be updated to 7\.0\.2/)).toBeVisible()
    await page.getByText('By name', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Add a device' }).fill('Wave')
    await page.getByRole('option', { name: 'Wave stop' }).click()
    await page.getByRole('button', { name: 'Remove the wave of 10 %' }).click()
    await expect(page.getByRole('table', { name: 'Devices in each wave' }).getByRole('row')).toHaveCount(4)
    await page.getByLabel('Observe each device for').fill('0')
    await page.getByRole('button', { name: 'Start update' }).click()
    await expect(page.getByText(/^Update \d+ devices to 7\.0\.2, beginning now with one device\?$/)).toBeVisible()
    await yes(page)
    await expect(page.getByRole('heading', { name: 'Client update to 7.0.2' })).toBeVisible()
  })

  await test.step('paused, nobody else begins; resumed, it goes on', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await yes(page)
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await yes(page)
    await expect(page.getByText('Running', { exact: true })).toBeVisible()
  })

  await test.step('a device that fails says why, and the update halts', async () => {
    const updateId = await offerTo(own)
    await tell(own, updateId, 'downloading', { receivedBytes: 1000 })
    await expect(progress(page)).toHaveAccessibleName(/1 updating/)
    await tell(own, updateId, 'failed', { reason: 'There is no space left on the disk.' })
    await expect(page.getByText('Halted', { exact: true })).toBeVisible()
    const failed = page.getByRole('row', { name: /Wave stop/ })
    await expect(failed).toContainText('There is no space left on the disk.')
    await expect(progress(page)).toHaveAccessibleName(/1 failed, .*waiting/)
    const desk = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 900 })
    for (const name of ['Retry failed', 'Resume', 'Stop'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
    if (desk) await page.setViewportSize(desk)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await expect(page).toHaveURL(/state=failed/)
    await expect(page.getByRole('table', { name: 'Devices of this update' }).getByRole('row')).toHaveCount(2)
  })

  await test.step('retried and resumed it is done, and the next wave has its time', async () => {
    await page.getByRole('button', { name: 'Retry failed' }).click()
    await yes(page)
    await expect(page.getByText('Devices that failed try again when the update is resumed.')).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await yes(page)
    await tell(own, await offerTo(own), 'done', { version: '7.0.2' })
    await expect(progress(page)).toHaveAccessibleName(/1 done, .*waiting/)
    const second = page.getByRole('region', { name: 'Waves' }).getByRole('listitem').nth(1)
    await expect(second).toContainText(/Begins \d\d\.\d\d\.\d\d/)
  })

  await test.step('stopped, the others keep what they have', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText(/It cannot be resumed/)).toBeVisible()
    await yes(page)
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
    await expect(progress(page)).toHaveAccessibleName(/^All devices: 1 done, \d+ not updated$/)
    await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0)
  })
  await own.disconnect()
})

test('an older target is called a downgrade and needs a tick', async ({ page, signInAs }) => {
  await signInAs('admin', '/device-software/rollouts/new')
  await page.getByRole('combobox', { name: 'Release' }).click()
  await page.getByRole('option', { name: '7.0.1' }).click()
  await expect(page.getByText(/This is a downgrade\. 7\.0\.2 is newer than 7\.0\.1\./)).toBeVisible()
  const start = page.getByRole('button', { name: 'Start update' })
  await expect(start).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Yes, downgrade these devices' }).check()
  await expect(start).toBeEnabled()
})

test('screens of client software are accessible and fit, in both themes at every width', async ({ page, signInAs }) => {
  await signInAs('admin', '/device-software/releases')
  const looks = await startLooks(page)
  const newest = page.getByRole('row', { name: /7\.0\.2/ })
  await expect(newest).toBeVisible()
  await looks.check('releases')
  await page.goto('/device-software/rollouts')
  await expect(newest).toContainText('Stopped')
  await looks.check('updates')
  await newest.click()
  await expect(page.getByRole('row', { name: /Wave stop/ })).toBeVisible()
  await looks.check('an update')
  await page.goto('/device-software/rollouts/new?devices=1,2')
  await expect(page.getByText(/devices? will be updated to/)).toBeVisible()
  await looks.check('a new update')
  await page.goto('/devices')
  await page.getByRole('button', { name: 'Update client' }).click()
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  await looks.check('a selection')
})
