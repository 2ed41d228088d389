import type { Page } from '@playwright/test'
import pg from 'pg'
import type { AnalyticsRow } from '#contract/http/insight/analytics.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { makePartitions } from '#server/db/partitions/partitions.ts'
import { startGateway } from '#server/gateway/gateway.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { asAdmin, connectOwnDevice, type OwnDevice } from '../support/device.ts'
import { expect, test } from '../support/journey.ts'
import { drawnAgain } from '../support/themesAndWidths.ts'

/**
 * These are the nights in which Europe/Prague, the zone of the browser, changes its clocks. They lie up to a year back,
 * so a second process of the product, with a longer retention, takes the readings.
 */

const EVERY_MS = 7 * MINUTE_MS
const METRIC = 4101

/** Returns one o'clock UTC on the most recent last Sunday of a month. */
function latestChange(month: number): number {
  const of = (year: number) => {
    const lastDay = new Date(Date.UTC(year, month + 1, 0))
    return Date.UTC(year, month, lastDay.getUTCDate() - lastDay.getUTCDay(), 1)
  }
  const now = new Date()
  const thisYear = of(now.getUTCFullYear())
  return thisYear < now.getTime() - 48 * HOUR_MS ? thisYear : of(now.getUTCFullYear() - 1)
}

const twoDigits = (hour: number) => String(hour).padStart(2, '0')
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => `${twoDigits(hour)}:00`)
/** Describes the local day of each change: its begin, its length, and its hours as a wall clock shows them. */
const NIGHTS = [
  {
    name: 'spring',
    changeMs: latestChange(2),
    beginsMs: -2 * HOUR_MS,
    hours: hoursOfDay.filter((hour) => hour !== '02:00'),
  },
  {
    name: 'autumn',
    changeMs: latestChange(9),
    beginsMs: -3 * HOUR_MS,
    hours: hoursOfDay.flatMap((hour) => (hour === '02:00' ? ['02:00 +02:00', '02:00 +01:00'] : [hour])),
  },
].map((night) => ({
  ...night,
  fromMs: night.changeMs + night.beginsMs,
  toMs: night.changeMs + night.beginsMs + night.hours.length * HOUR_MS,
}))

interface Published {
  readonly atMs: number
  readonly celsius: number
}

const stops: (() => Promise<unknown>)[] = []
const published: Published[] = []
let device: OwnDevice

test.beforeAll(async ({ system, request }) => {
  const owner = new pg.Client({ connectionString: system.ownerUrl })
  await owner.connect()
  for (const { changeMs } of NIGHTS) await makePartitions(owner, new Date(changeMs), 2)
  await owner.end()
  const pool = openPool(system.applicationUrl, { maximumConnections: 4, name: 'long memory' })
  stops.push(() => pool.end())
  const gateway = await startGateway({
    pool,
    cipher: testCipher,
    bindAddress: '127.0.0.1',
    port: 0,
    deviceMessagesPerSecond: 0,
    retentionDays: 450,
  })
  stops.push(() => gateway.stop())
  device = await connectOwnDevice(system, request, 'Clock change', `mqtt://127.0.0.1:${gateway.port}`)
  stops.push(() => device.disconnect())
  for (const { fromMs, toMs } of NIGHTS) await publish(fromMs - 2 * HOUR_MS, toMs + 2 * HOUR_MS)
})

test.afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function publish(fromMs: number, toMs: number) {
  const told = []
  for (let atMs = fromMs; atMs < toMs; atMs += EVERY_MS) {
    const celsius = Math.round((25 + 12 * Math.sin(atMs / 5e6)) * 10) / 10
    told.push({ at: new Date(atMs).toISOString(), values: { internal_temp: celsius } })
    published.push({ atMs, celsius })
  }
  await device.reportAll('display/1', told)
}

/** Puts the published readings into buckets by hand: begin, mean, lowest, highest. */
function bucketsOf(fromMs: number, toMs: number, stepMs: number) {
  const within = published.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const byBegin = Map.groupBy(within, ({ atMs }) => Math.floor(atMs / stepMs) * stepMs)
  return [...byBegin].map(([beginMs, readings]) => {
    const celsius = readings.map((reading) => reading.celsius)
    const mean = celsius.reduce((sum, value) => sum + value, 0) / celsius.length
    return { beginMs, mean, low: Math.min(...celsius), high: Math.max(...celsius) }
  })
}

const addressOf = (fromMs: number, toMs: number, more = '') => {
  const period = { dateFrom: new Date(fromMs).toISOString(), dateTo: new Date(toMs).toISOString() }
  const data = { ...period, metric: { deviceId: device.id, metricId: METRIC }, removeExisting: true }
  return `/analytics?data=${encodeURIComponent(JSON.stringify(data))}${more}`
}

/** Records every text drawn on a canvas, because a canvas cannot be read. */
const noteDrawnTexts = (page: Page) =>
  page.addInitScript(() => {
    const drawn: string[] = []
    Object.assign(window, { drawnTexts: drawn })
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      drawn.push(text)
      fillText.call(this, text, ...(place as [number, number]))
    }
  })

for (const { name, changeMs, fromMs, toMs, hours } of NIGHTS) {
  for (const stepMinutes of [60, 15]) {
    test(`the ${name} day at ${stepMinutes} minutes holds what was published`, async ({ request, system }) => {
      const headers = await asAdmin(system)
      const params = {
        devices: device.id,
        measurements: METRIC,
        dateFrom: new Date(fromMs).toISOString(),
        dateTo: new Date(toMs).toISOString(),
        minutesRound: stepMinutes,
        groupDevices: false,
        withRange: true,
      }
      let rows: AnalyticsRow[] = []
      const wanted = bucketsOf(fromMs, toMs, stepMinutes * MINUTE_MS)
      expect(wanted).toHaveLength((hours.length * 60) / stepMinutes)
      // Beyond its own retention the first process answers hours from roll-ups alone, which take a moment.
      await expect(async () => {
        rows = await (await request.get('/api/Analytics/GetAnalyticsDataTable', { headers, params })).json()
        expect(rows.map(({ time }) => Date.parse(time))).toEqual(wanted.map(({ beginMs }) => beginMs))
      }).toPass({ timeout: 30_000 })
      for (const [index, { mean, low, high }] of wanted.entries()) {
        const row = rows[index]
        expect(row?.[`m_${METRIC}`]).toBeCloseTo(mean, 3)
        expect([row?.[`m_${METRIC}_min`], row?.[`m_${METRIC}_max`]]).toEqual([low, high])
      }
    })
  }

  test(`the ${name} day has ${hours.length} hours in the table, none missing and none twice`, async ({
    page,
    signInAs,
  }) => {
    await page.setViewportSize({ width: 1440, height: 1400 })
    await signInAs('analyst', addressOf(fromMs, toMs, '&view=table'))
    const rows = page.getByRole('table', { name: 'Readings' }).locator('tbody tr:not(.table-spacer)')
    await expect(rows.first()).toBeVisible()
    const found = new Map<string, string>()
    const scroll = page.locator('.table-scroll').first()
    // Only rows in view are drawn.
    await expect(async () => {
      found.clear()
      for (const part of [0, 0.5, 1]) {
        await scroll.evaluate((element, top) => element.scrollTo({ top: top * element.scrollHeight }), part)
        await drawnAgain(page)
        for (const row of await rows.all()) {
          const [time = '', value = ''] = await row.locator('td').allTextContents()
          found.set(time.slice('DD.MM.YY '.length), value)
        }
      }
      expect([...found.keys()]).toEqual(hours)
    }).toPass({ timeout: 20_000 })
    const means = bucketsOf(fromMs, toMs, HOUR_MS).map(({ mean }) => mean)
    for (const [index, text] of [...found.values()].entries()) expect(Number(text)).toBeCloseTo(means[index] ?? 0, 1)
  })

  test(`the ${name} night has its hours on the axis of the chart and at its cursor`, async ({ page, signInAs }) => {
    await noteDrawnTexts(page)
    const [nightFromMs, nightToMs] = [changeMs - 4 * HOUR_MS, changeMs + 4 * HOUR_MS]
    await signInAs('analyst', addressOf(nightFromMs, nightToMs))
    await expect(page.locator('.u-over')).toBeVisible()
    const wanted = Array.from({ length: 9 }, (_, hour) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Prague', hour: '2-digit', minute: '2-digit' }).format(
        nightFromMs + hour * HOUR_MS,
      ),
    )
    const ticks = async () => {
      const drawn = await page.evaluate(() => (window as never as { drawnTexts: string[] }).drawnTexts)
      return drawn.filter((text) => /^\d\d:00$/.test(text)).slice(0, wanted.length)
    }
    await expect.poll(ticks).toEqual(wanted)
    await page.locator('.time-chart-stage').focus()
    await page.keyboard.press('Home')
    const cursor = page.locator('.chart-legend-time')
    for (const [index, hour] of wanted.slice(0, 8).entries()) {
      const isTwice = name === 'autumn' && hour === '02:00'
      await expect(cursor).toHaveText(
        new RegExp(` ${isTwice ? `${hour} \\${index === 3 ? '+02:00' : '+01:00'}` : hour}$`),
      )
      await page.keyboard.press('ArrowRight')
    }
  })
}
