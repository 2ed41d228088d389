import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { Worker } from '../../frame/Worker.ts'
import { openPlace } from '../place.ts'
import { DAY_MS, FIELDS, type Fleet, makeFleet } from '../query/fleet.ts'
import {
  bareSteps,
  type Chart,
  consoleSteps,
  countDraws,
  drawBare,
  GESTURES,
  performSteps,
  type Timing,
} from './inPage.ts'

const CONSOLE_FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url))
const UPLOT = createRequire(import.meta.url)
  .resolve('uplot')
  .replace('uPlot.cjs.js', 'uPlot.iife.min.js')
const HOURS_A_DAY = 24
const MOST_METRICS = 20
const REPEATS = { alone: 10, inRow: 60 }
const WARM_UP = { alone: 2, inRow: 20 }
const MUST_RATIO = 3
/** Three frames of sixty a second: whatever the reference takes, below it nobody sees a jerk. */
const SMOOTH_MS = 50

export interface ChartOptions {
  /** Readings in the chart, of up to 20 metrics. */
  readonly points: number
  /** Hours of so many days. */
  readonly days: number
}

/** Measures the console's chart in a browser against bare uPlot (lines alone) with the same readings in the same run. */
export async function chartBenchmark({ points, days }: ChartOptions): Promise<void> {
  const metricCount = Math.min(MOST_METRICS, Math.ceil(points / (days * HOURS_A_DAY)))
  const place = await openPlace()
  const db = new pg.Client({ connectionString: place.ownerUrl })
  const product = new Worker(new URL('../../frame/productServer.ts', import.meta.url), ['--expose-gc'])
  let browser: Browser | undefined
  try {
    await db.connect()
    const devices = Math.ceil(metricCount / FIELDS.length)
    const token = randomBytes(32).toString('base64url')
    const fleet = await makeFleet(db, { devices, days: 1, rollupDays: days, exportRows: 1 }, token)
    const { ownerUrl, applicationUrl } = place
    const { httpUrl } = await product.ask<{ httpUrl: string }>({
      start: { ownerUrl, applicationUrl },
      consoleFolder: CONSOLE_FOLDER,
    })
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript(countDraws)
    await openChart(page, httpUrl, fleet, metricCount, days)
    const cores = `${availableParallelism()} cores, Chromium ${browser.version()} without a graphics card`
    console.log(
      `${metricCount} metrics of ${days * HOURS_A_DAY} hours, ${metricCount * days * HOURS_A_DAY} points; ${cores}`,
    )
    const ours = await measured(page, consoleSteps)
    await page.evaluate(readFileSync(UPLOT, 'utf8').replace('var uPlot=', 'globalThis.uPlot='))
    await page.evaluate(drawBare)
    printRatios(ours, await measured(page, bareSteps))
  } finally {
    await browser?.close()
    await Promise.allSettled([product.end()])
    await db.end()
    await place.close()
  }
}

async function openChart(page: Page, httpUrl: string, { deviceIds, endMs, token }: Fleet, count: number, days: number) {
  await page.addInitScript((accessToken) => {
    const rights = { roleFunctions: [1, 2, 5], isAdmin: true, isDeviceManager: true, isAnalyticsUser: true }
    const names = { id: 1, username: 'bench@example', email: '', firstName: '', lastName: '', roleName: '' }
    localStorage.setItem('wayside.session', JSON.stringify({ accessToken, user: { ...rights, ...names } }))
  }, token)
  const metrics = deviceIds.flatMap((deviceId) => FIELDS.map(({ id }) => ({ deviceId, metricId: id })))
  const data = {
    dateFrom: new Date(endMs - days * DAY_MS).toISOString(),
    dateTo: new Date(endMs).toISOString(),
    metric: metrics.slice(0, count),
    removeExisting: true,
  }
  await page.goto(`${httpUrl}/analytics?data=${encodeURIComponent(JSON.stringify(data))}`)
  await page.locator('.u-over').waitFor()
}

/** Each gesture a few times alone, and then once in every frame. */
async function measured(page: Page, prepare: (chart: Chart) => void): Promise<Record<string, Timing>> {
  const timings: Record<string, Timing> = {}
  for (const gesture of GESTURES) {
    await page.evaluate(prepare as never, { gesture })
    await page.evaluate(performSteps, WARM_UP)
    timings[gesture] = await page.evaluate(performSteps, REPEATS)
  }
  return timings
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

function printRatios(ours: Record<string, Timing>, bare: Record<string, Timing>) {
  const right = (texts: readonly string[]) => texts.map((text) => text.padStart(12)).join('')
  console.log(`${''.padEnd(36)}${right(['console ms', '95 %', 'bare ms', '95 %', 'ratio'])}`)
  for (const gesture of GESTURES) {
    for (const [name, kind] of [
      ['alone, to the frame that shows it', 'shownAfterMs'],
      ['again each frame, frame', 'frameMs'],
    ] as const) {
      const [mine, theirs] = [ours[gesture]?.[kind] ?? [], bare[gesture]?.[kind] ?? []]
      const times = [mine, theirs].flatMap((values) => [quantile(values, 0.5), quantile(values, 0.95)])
      const [median = 0, , reference = 1] = times
      const ratio = median / reference
      const isReached = ratio <= MUST_RATIO || median <= SMOOTH_MS
      if (!isReached) process.exitCode = 1
      const verdict = `   ${isReached ? 'reached' : 'MISSED'} (must ${MUST_RATIO}, or ${SMOOTH_MS} ms)`
      console.log(
        `${`${gesture} ${name}`.padEnd(44)}${right([...times.map((ms) => ms.toFixed(1)), ratio.toFixed(2)])}${verdict}`,
      )
    }
  }
}
