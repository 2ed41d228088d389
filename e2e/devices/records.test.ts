import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { connectOwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { startLooks } from '../support/themesAndWidths.ts'

const HOSTILE = `<img src=x onerror="document.title='ran'">`

/** The period reaches from three days ago to tomorrow, so that new reports are in it. */
const wide = () => `dateFrom=${daysFromNow(-3)}&dateTo=${daysFromNow(1)}`
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Formats `DD.MM.YY HH:mm:ss` in the zone of these journeys' browser. */
function asShown(moment: string): string {
  const [day, time] = new Date(moment)
    .toLocaleString('en-GB', { timeZone: 'Europe/Prague', dateStyle: 'short', timeStyle: 'medium' })
    .split(', ')
  return `${day?.replace(/(\d\d)\/(\d\d)\/\d\d(\d\d)/, '$1.$2.$3')} ${time}`
}
const todayThere = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Prague' })

test('what a device reports is a raw row after a reload, and not before', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Recorded totem')
  await device.report('display', { internal_temp: 41.5 })
  await signInAs('manager', `/devices/${device.guid}/status`)
  const tile = page.getByRole('button', { name: /^Internal temperature/ })
  await expect(tile).toContainText('41.5')
  await tile.focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem')).toHaveText(['Show raw data'])
  // Before that it does not hear the keys.
  await expect(page.getByRole('menuitem')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(tile).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Show raw data' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=raw&evTypeId=4/)
  const cells = page.getByRole('table', { name: 'Reports: Display' }).getByRole('cell')
  await expect(cells.filter({ hasText: /^41\.5$/ })).toHaveCount(1)
  await device.report('display', { internal_temp: 52.25 })
  const reload = page.getByRole('button', { name: 'Reload' })
  await expect(cells.filter({ hasText: /^52\.25$/ })).toHaveCount(0)
  await reload.focus()
  await page.keyboard.press('Enter')
  await expect(cells.filter({ hasText: /^52\.25$/ })).toHaveCount(1)
  await expect(reload).toBeFocused()
  await expect(page.getByRole('button', { name: /Export/ })).toHaveCount(0)
  await device.disconnect()
})

test('a message is text whatever it says, and is found by a part of it', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Talkative totem')
  await device.say(HOSTILE)
  await device.say('Watchdog restarted the player')
  await signInAs('manager', `/devices/${device.guid}/status?view=messages`)
  await expect(page.getByText(HOSTILE)).toBeVisible()
  await expect(page.getByText('Watchdog restarted the player')).toBeVisible()
  await expect(page.locator('td img')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Text' }).fill('ONERROR=')
  await expect(page.getByText('Watchdog restarted the player')).toHaveCount(0)
  await expect(page.getByText(HOSTILE)).toBeVisible()
  await expect(page).toHaveURL(/text=ONERROR/)
  await page.reload()
  await expect(page.getByText('The only message of this period')).toBeVisible()
  expect(await page.title()).not.toBe('ran')
  await expect(page.getByRole('button', { name: /Export/ })).toHaveCount(0)
  await device.disconnect()
})

test('the file of a lab user holds what the device said, and no formula', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Measured totem')
  const reportedAt = await device.report('display', { internal_temp: -41.25, touch_matrix_status: '=1+1', novelty: 5 })
  const saidAt = await device.say('=HYPERLINK("http://x.example");two\nlines')
  await signInAs('lab', `/devices/${device.guid}/status?view=raw&evTypeId=4&${wide()}`)
  const raw = await exported(page)
  expect(raw.name).toBe(`rawData_${device.id}_${todayThere()}.csv`)
  const [head = [], row = [], ...others] = raw.rows
  expect(others).toEqual([])
  const cell = (header: string) => row[head.indexOf(header)]
  expect(cell('Time')).toBe(asShown(reportedAt))
  expect(cell('Component')).toBe('1')
  expect(cell('Internal temperature (°C)')).toBe('-41.25')
  expect(cell('Touch screen')).toBe("'=1+1")
  expect(cell('Intake temperature (°C)')).toBe('')
  expect(cell('Other fields')).toBe('{"novelty":5}')

  await page.goto(`/devices/${device.guid}/status?view=messages&${wide()}`)
  const messages = await exported(page)
  expect(messages.name).toBe(`msgData_${device.id}_${todayThere()}.csv`)
  expect(messages.rows[0]).toEqual(['Time', 'Received', 'Message'])
  expect(messages.rows[1]?.[0]).toBe(asShown(saidAt))
  expect(messages.rows[1]?.[2]).toBe(`'=HYPERLINK("http://x.example");two\nlines`)

  await page.goto(`/devices/${device.guid}/status?view=messages&text=nowhere&${wide()}`)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByText('No data available to export.')).toBeVisible()
  await device.disconnect()
})

test('every view of the status is accessible, with records and without, in both themes', async ({
  page,
  system,
  request,
  signInAs,
}) => {
  const device = await connectOwnDevice(system, request, 'Looked at')
  const empty = await connectOwnDevice(system, request, 'Silent')
  await device.report('display', { internal_temp: 41.5, novelty: 5 })
  await device.report('display', { internal_temp: 99 }, daysFromNow(5))
  await device.say(HOSTILE)
  const pages = [
    [device.guid, '', page.getByRole('button', { name: /^Internal temperature/ })],
    [device.guid, 'view=raw&evTypeId=4', page.getByText(/^Marked reports/)],
    [device.guid, 'view=messages', page.getByText(HOSTILE)],
    [empty.guid, 'view=raw', page.getByText('No reports in this period')],
    [empty.guid, 'view=messages&text=x', page.getByText('No message in this period contains this text')],
    [empty.guid, 'view=raw&evTypeId=77', page.getByText('Columns definition not available')],
  ] as const
  await signInAs('lab', `/devices/${device.guid}/status`)
  const looks = await startLooks(page, { widths: [1440] })
  for (const [guid, query, sign] of pages) {
    await page.goto(`/devices/${guid}/status?${query}`)
    await expect(sign).toBeVisible()
    await looks.check(query)
  }
  await page.goto(`/devices/${device.guid}/status`)
  await page.getByRole('button', { name: /^Internal temperature/ }).click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await looks.check('menu of a tile')
  await device.disconnect()
  await empty.disconnect()
})

/** Returns name and cells of the file that the button makes. */
async function exported(page: Page): Promise<{ readonly name: string; readonly rows: string[][] }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloading
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\ufeff"')).toBe(true)
  expect(text.endsWith('"\r\n')).toBe(true)
  const lines = text.slice(1).split(/\r\n/).slice(0, -1)
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split('";"')
      .map((quoted) => quoted.replaceAll('""', '"')),
  )
  return { name: file.suggestedFilename(), rows }
}
