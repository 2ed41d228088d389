import { mkdir, writeFile } from 'node:fs/promises'
import { test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { type DemoUser, signIn } from '../support/signIn.ts'
import { type RunningSystem, startSystem } from '../support/system.ts'
import { drawnAgain } from '../support/themesAndWidths.ts'
import { type Workday, workADay } from './workday.ts'

const FOLDER = new URL('../../docs/pictures/', import.meta.url)
const DEVICES = 40
/** A screen looks back a week at most, and the day before it is reported too. */
const PAST_DAYS = 8
/** Nobody else needs this machine meanwhile. */
const PAST_PER_SECOND = 50_000
const ALERT_DAYS = 365
export const TOLD_WITHIN_MS = 15 * 60_000
const WEBP_QUALITY = 82

interface Fixtures {
  readonly theme: 'dark' | 'white'
  readonly show: (user: DemoUser, path: string) => Promise<void>
  /** Writes what the page shows to the file of this name; with a scale, so many times as large. */
  readonly take: (name: string, scale?: number) => Promise<void>
}

interface OfRun {
  readonly system: RunningSystem
  readonly workday: Workday
}

export const test = base.extend<Fixtures, OfRun>({
  system: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright reads
    async ({}, use) => {
      const system = await startSystem(DEVICES, {
        WAYSIDE_DEMO_PAST_DAYS: String(PAST_DAYS),
        WAYSIDE_DEMO_PAST_PER_SECOND: String(PAST_PER_SECOND),
        WAYSIDE_DEMO_ALERT_DAYS: String(ALERT_DAYS),
      })
      await use(system)
      await system.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  workday: [async ({ system }, use) => use(await workADay(system)), { scope: 'worker', timeout: 120_000 }],
  theme: ['dark', { option: true }],
  baseURL: async ({ system }, use) => use(system.httpUrl),
  show: async ({ page, system, theme }, use) => {
    await page.addInitScript((name) => localStorage.setItem('wayside.theme', name), theme)
    await use((user, path) => signIn(page, user, system, path))
  },
  take: async ({ page }, use) => use((name, scale) => takePicture(page, name, scale)),
})

/**
 * Waits until everything is stored and computed and the devices are connected: all but two at most, of which one is
 * silent for good, and the other for a while every few hours.
 */
export async function pastIsTold({ said, ownerUrl }: RunningSystem): Promise<void> {
  await said(/\d+ alerts of the past/, TOLD_WITHIN_MS)
  await said(/history 100 %/, TOLD_WITHIN_MS)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const open = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select (select count(*) from rollup_mark where hour < now() - interval '3 hours')::int
         + (select count(*) from dark_due where day < current_date - 1)::int
         + (select greatest(count(*) - 2, 0) from device d
             where not exists (select from device_connection c where c.device_id = d.id))::int as count`,
    )
    return rows[0]?.count
  }
  await expect.poll(open, { timeout: TOLD_WITHIN_MS, intervals: [1_000] }).toBe(0)
  await client.end()
}

async function takePicture(page: Page, name: string, scale = 1): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .loading-skeleton')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  await drawnAgain(page)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: WEBP_QUALITY,
    clip: { x: 0, y: 0, width, height, scale },
  })
  await mkdir(FOLDER, { recursive: true })
  await writeFile(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'))
}

export { expect }
