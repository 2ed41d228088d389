import type { Browser, Page } from '@playwright/test'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, PASSWORD } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { CONSOLE_FOLDER, openBrowser } from '../../bench/openBrowser.ts'
import { count } from '../../frame/options.ts'
import { describeTrial } from '../../frame/trial.ts'

const LONGEST_MS = 600_000

export const airplane = describeTrial({
  name: 'airplane',
  proves: 'Visits that several telephones write without a network are on the server once each when there is one again.',
  options: {
    telephones: count(2, 'telephones'),
    entries: count(50, 'visits that each writes'),
  },
  async run(run) {
    const { telephones, entries } = run.options
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial owner' })
    const [device] = await insertDevices(owner, 1)
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    const browser = await openBrowser()
    const open = async (number: number) => {
      const username = `technician-${number}@a.example`
      await addUser(owner, { username, functions: [2] })
      return openTelephone(browser, `${httpUrl}/visits/${device?.guid}`, username)
    }
    const pages = await Promise.all(Array.from({ length: telephones }, (_, number) => open(number)))
    for (const page of pages) await page.context().setOffline(true)
    const beganAt = Date.now()
    await Promise.all(pages.map((page, number) => writeVisits(page, number, entries)))
    console.log(`${telephones * entries} visits were written in ${Math.round((Date.now() - beganAt) / 1000)} s`)
    const written = async () =>
      (await owner.query('select action_comment as comment, count(*)::int as n from maintenance_entry group by 1')).rows
    if ((await written()).length > 0) run.wrong('something was sent without a network')
    const connectedAt = Date.now()
    for (const page of pages) await page.context().setOffline(false)
    for (const page of pages)
      await page.getByText('kept on this device').waitFor({ state: 'detached', timeout: LONGEST_MS })
    console.log(`they were sent in ${Math.round((Date.now() - connectedAt) / 1000)} s`)
    const rows = await written()
    const lost = telephones * entries - rows.length
    const doubled = rows.filter(({ n }) => n > 1).length
    console.log(`${rows.length} on the server, ${lost} lost, ${doubled} doubled`)
    if (lost !== 0 || doubled > 0) run.wrong(`${lost} were lost, ${doubled} doubled`)
    await browser.close()
    await owner.end()
  },
})

async function openTelephone(browser: Browser, url: string, username: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Begin visit' }).waitFor()
  // The page opens without a network once its worker has it.
  await page.waitForFunction(async () => {
    const kept = await caches.open('wayside-visits')
    return (await kept.match('/visits')) !== undefined && navigator.serviceWorker.controller !== null
  })
  return page
}

async function writeVisits(page: Page, telephone: number, entries: number): Promise<void> {
  for (let entry = 0; entry < entries; entry++) {
    await page.getByRole('button', { name: 'Begin visit' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill(`Telephone ${telephone}, visit ${entry}`)
    await page.getByRole('button', { name: 'Finish visit' }).click()
    await page.getByRole('button', { name: 'Begin visit' }).waitFor()
  }
}
