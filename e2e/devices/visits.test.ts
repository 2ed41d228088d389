import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { showToCamera } from '../support/camera.ts'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'

/** A picture of one grey pixel; the browser draws it anew as a JPEG. */
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010800000000', 'hex'),
  Buffer.from('3a7e9b55', 'hex'),
  chunkOfPixel(),
  Buffer.from('0000000049454e44ae426082', 'hex'),
])

function chunkOfPixel(): Buffer {
  const data = deflateSync(Buffer.from([0, 128]))
  const chunk = Buffer.concat([Buffer.from('IDAT'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(chunk) >>> 0)
  return Buffer.concat([length, chunk, sum])
}

async function writeVisit(page: Page, comment: string, photo: Buffer) {
  await page.getByRole('button', { name: 'Begin visit' }).click()
  await page.getByRole('checkbox', { name: 'The glass is clean' }).check()
  await page.getByRole('button', { name: 'Add a part' }).click()
  await page.getByRole('textbox', { name: 'Part 1', exact: true }).fill('Fan')
  await page
    .getByLabel('Photos', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: photo })
  await expect(page.getByRole('img', { name: 'Taken on site, 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Finish visit' }).click()
  await expect(page.getByText('Say in the comment what was done.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Comment' }).fill(comment)
}

async function planVisit(page: Page) {
  await page.getByRole('button', { name: 'Plan a visit' }).click()
  await page.getByRole('textbox', { name: 'To bring' }).fill('A fan')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Visits' })).toContainText('To bring: A fan')
}

async function readVisit(page: Page) {
  await page.getByRole('button', { name: 'Show visit and photos (1)' }).click()
  const checked = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Checked', exact: true }) })
  await expect(checked.getByText('The glass is clean', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Taken on site/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
}

/** Returns how many things of visits a browser keeps, and its caches. */
const leftOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('wayside-visits')
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const counting = database.transaction('kept').objectStore('kept').count()
    return [await new Promise((resolve) => (counting.onsuccess = () => resolve(counting.result))), await caches.keys()]
  })

test('a visit is planned, written without network, sent once, and wiped by signing out', async ({
  page,
  context,
  request,
  system,
  signInAs,
  mayBeRefused,
}) => {
  mayBeRefused('ERR_INTERNET_DISCONNECTED', 'Visit/RecordVisit', '500', '429')
  const device = await connectOwnDevice(system, request, 'Stop to visit')
  await signInAs('manager', `/devices/${device.guid}/maintenance`)
  await planVisit(page)

  await page.goto('/visits')
  await expect(page.getByRole('link', { name: 'Stop to visit' })).toBeVisible()
  showToCamera(`${system.httpUrl}/visits/${device.guid}`)
  await page.getByRole('button', { name: 'Scan a device' }).click()
  await expect(page.getByRole('heading', { name: 'Stop to visit' })).toBeVisible()
  const isKept = () =>
    page.evaluate(async () => {
      const kept = await caches.open('wayside-visits')
      const isWhole = (await kept.match('/visits')) !== undefined && (await kept.keys()).length > 10
      return isWhole && navigator.serviceWorker.controller !== null
    })
  // A server that is busy is asked again after five seconds.
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true)
  expect(await violations(page)).toEqual([])

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('There is no network.')).toBeVisible()
  await writeVisit(page, 'The fan was exchanged', PNG)
  // What was written so far outlives the page.
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('The fan was exchanged')
  await page.getByRole('button', { name: 'Finish visit' }).click()
  await expect(page.getByText('One visit is kept on this device')).toBeVisible()
  await page.reload()
  await expect(page.getByText('One visit is kept on this device')).toBeVisible()

  // A server in trouble, or one that asks to wait, refuses nothing.
  for (const status of [500, 429]) {
    await page.route('**/api/Visit/RecordVisit', (route) => route.fulfill({ status, json: {} }), { times: 1 })
  }
  const asked = () => page.waitForResponse('**/api/Visit/RecordVisit')
  const [first] = await Promise.all([asked(), context.setOffline(false)])
  expect([500, 429]).toContain(first.status())
  await expect(page.getByText('One visit is kept on this device')).toBeVisible()
  await expect(page.getByText('One visit is kept on this device')).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByText('was not taken')).toHaveCount(0)
  await page.goto(`/devices/${device.guid}/maintenance`)
  await expect(page.getByRole('row', { name: /The fan was exchanged/ })).toHaveCount(1)
  await readVisit(page)

  await page
    .getByRole('button', { name: /User menu|manager/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await leftOnDevice(page)).toEqual([0, []])
  await device.disconnect()
})
