import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { count } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { beSignedIn, CONSOLE_FOLDER, openBrowser } from '../openBrowser.ts'
import { FIELDS, type Fleet, makeFleet } from '../query/fleet.ts'
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

const UPLOT = createRequire(import.meta.url)
  .resolve('uplot')
  .replace('uPlot.cjs.js', 'uPlot.iife.min.js')
const HOURS_A_DAY = 24
const MOST_METRICS = 20
const REPEATS = { alone: 10, inRow: 60 }
const WARM_UP = { alone: 2, inRow: 20 }
const MUST_RATIO = 3
/** It is three frames of sixty a second: below it nobody sees a jerk, whatever the reference takes. */
const SMOOTH_MS = 50

export const chart = describeTrial({
  name: 'chart',
  proves: "The console's chart in a browser against bare uPlot (lines alone) with the same readings in the same run.",
  options: {
    points: count(120_000, 'readings in the chart, of up to 20 metrics'),
    days: count(365, 'days of hours'),
  },
  async run(run) {
    const { points, days } = run.options
    const browser = await openBrowser()
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    const metricCount = Math.min(MOST_METRICS, Math.ceil(points / (days * HOURS_A_DAY)))
    const devices = Math.ceil(metricCount / FIELDS.length)
    const token = randomBytes(32).toString('base64url')
    const fleet = await makeFleet(db, { devices, days: 1, rollupDays: days, exportRows: 1 }, token)
    await db.end()
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript(countDraws)
    await openChart(page, httpUrl, fleet, metricCount, days)
    console.log(`${metricCount} metrics, ${metricCount * days * HOURS_A_DAY} points`)
    const ours = await measured(page, consoleSteps)
    await page.evaluate(readFileSync(UPLOT, 'utf8').replace('var uPlot=', 'globalThis.uPlot='))
    await page.evaluate(drawBare)
    printRatios(run, ours, await measured(page, bareSteps))
    await browser.close()
  },
})

async function openChart(page: Page, httpUrl: string, { deviceIds, endMs, token }: Fleet, count: number, days: number) {
  await beSignedIn(page, token)
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

/** Measures each gesture a few times alone, and then once in every frame. */
async function measured(page: Page, prepare: (chart: Chart) => void): Promise<Record<string, Timing>> {
  const timings: Record<string, Timing> = {}
  for (const gesture of GESTURES) {
    await page.evaluate(prepare as never, { gesture })
    await page.evaluate(performSteps, WARM_UP)
    timings[gesture] = await page.evaluate(performSteps, REPEATS)
  }
  return timings
}

function printRatios(judge: Judge, ours: Record<string, Timing>, bare: Record<string, Timing>) {
  const row = openTable(['console ms', '95 %', 'bare ms', '95 %', 'ratio'], 44)
  for (const gesture of GESTURES) {
    for (const [how, kind] of [
      ['alone, to the frame that shows it', 'shownAfterMs'],
      ['again each frame, frame', 'frameMs'],
    ] as const) {
      const [mine, theirs] = [ours[gesture]?.[kind] ?? [], bare[gesture]?.[kind] ?? []]
      const times = [mine, theirs].flatMap((values) => [quantile(values, 0.5), quantile(values, 0.95)])
      const [median = 0, , reference = 1] = times
      const ratio = median / reference
      const verdict = judge.verdict(`${gesture} ${how}`, ratio <= MUST_RATIO || median <= SMOOTH_MS)
      row(`${gesture} ${how}`, [...times, ratio.toFixed(2)], `${verdict} (must ${MUST_RATIO}, or ${SMOOTH_MS} ms)`)
    }
  }
}
