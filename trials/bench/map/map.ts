import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import type pg from 'pg'
import { openPool } from '#server/db/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { Worker } from '../../frame/Worker.ts'
import { openPlace } from '../place.ts'
import { makeMapFleet } from './fleet.ts'
import { dragMap, drawBare, drawnAfterAnswer, filterConsole, lookCloser, showBare } from './inPage.ts'

const CONSOLE_FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url))
const LEAFLET = createRequire(import.meta.url).resolve('leaflet')
const REPEATS = 15
/** From zoom 4. */
const CLOSER_BY = 3
const DRAG = { strokes: 6, frames: 40, stepPx: 9 }
/** Shorter than a view, and never in the middle of nowhere. */
const FILTER_NAME = '00'
const MUST_FRAMES_A_SECOND = 30
/** Of all pins of a fleet of 100,000, beside the plain rows from the database. */
const MUST_RATIO = 2

export interface MapBenchOptions {
  readonly devices: number
}

/** Server time of all pins, and the map in a browser beside the bare library, with the same devices in the same run. */
export async function mapBenchmark({ devices }: MapBenchOptions): Promise<void> {
  const place = await openPlace()
  const db = openPool(place.ownerUrl, { maximumConnections: 2, name: 'bench' })
  const product = new Worker(new URL('../../frame/productServer.ts', import.meta.url), ['--expose-gc'])
  const interrupted = () => place.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)
  let browser: Browser | undefined
  try {
    const shownFleets = [10_000, 20_000].filter((count) => count <= devices)
    const others = devices - shownFleets.reduce((sum, count) => sum + count, 0)
    const customerIds = await makeMapFleet(db, [...shownFleets, Math.max(0, others)])
    const token = await openSession(db, await addUser(db, { username: 'map@bench.example', functions: [2] }))
    const { ownerUrl, applicationUrl } = place
    const start = { start: { ownerUrl, applicationUrl }, consoleFolder: CONSOLE_FOLDER }
    const { httpUrl } = await product.ask<{ httpUrl: string }>(start)
    await measureServer(db, httpUrl, token, customerIds, devices)
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    console.log(`\n${availableParallelism()} cores, Chromium ${browser.version()} without a graphics card`)
    for (const [index, count] of shownFleets.entries()) {
      await measureMap(browser, httpUrl, token, customerIds[index] ?? 0, count)
    }
  } finally {
    await browser?.close()
    await Promise.allSettled([product.end()])
    await db.end()
    process.off('SIGINT', interrupted)
    await place.close()
  }
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

const fine = (ms: number) => ms.toFixed(1)

/** The same devices as plain rows: what any answer has to read. */
const PLAIN = `select d.id, d.guid, d.name, d.latitude, d.longitude, d.status_id, o.device_id is not null, a.count
  from device d
  left join (select distinct device_id from device_connection c join server_process p on p.id = c.process_id
    where not is_silent and lease_until > now()) o on o.device_id = d.id
  left join (select device_id, count(*) from alert
    where status_id = 1 and condition_state_id = 1 and withdrawn_at is null group by 1) a on a.device_id = d.id
  where d.deleted_at is null and d.latitude is not null and ($1::int is null or d.customer_id = $1)`

async function measureServer(
  db: pg.Pool,
  httpUrl: string,
  token: string,
  customerIds: readonly number[],
  devices: number,
) {
  const asText = { getTypeParser: () => (text: unknown) => text }
  console.log('All pins of a filter, server and wire together, beside the plain rows by SQL')
  for (const [name, customerId] of [
    [`${devices} devices`, undefined],
    ['one customer', customerIds[0]],
  ] as const) {
    const url = `${httpUrl}/api/Device/GetDevicePins${customerId === undefined ? '' : `?customerId=${customerId}`}`
    const ours: number[] = []
    const plain: number[] = []
    let bytes = 0
    for (let repeat = -3; repeat < REPEATS; repeat++) {
      const beganAt = performance.now()
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      if (!answer.ok) throw new Error(await answer.text())
      bytes = (await answer.arrayBuffer()).byteLength
      const between = performance.now()
      await db.query({ text: PLAIN, values: [customerId ?? null], rowMode: 'array', types: asText as never })
      if (repeat < 0) continue
      ours.push(between - beganAt)
      plain.push(performance.now() - between)
    }
    const ratio = quantile(ours, 0.5) / quantile(plain, 0.5)
    const isReached = ratio <= MUST_RATIO
    if (!isReached) process.exitCode = 1
    console.log(
      `  ${name.padEnd(18)} p50 ${fine(quantile(ours, 0.5))} ms, p95 ${fine(quantile(ours, 0.95))} ms, ` +
        `${(bytes / 1e6).toFixed(1)} MB; rows p50 ${fine(quantile(plain, 0.5))} ms; ratio ${ratio.toFixed(2)}   ` +
        `${isReached ? 'reached' : 'MISSED'} (must ${MUST_RATIO})`,
    )
  }
}

async function measureMap(browser: Browser, httpUrl: string, token: string, customerId: number, count: number) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await page.addInitScript((accessToken) => {
    const rights = { roleFunctions: [2], isAdmin: false, isDeviceManager: true, isAnalyticsUser: false }
    const names = { id: 1, username: 'map@bench.example', email: '', firstName: '', lastName: '', roleName: '' }
    localStorage.setItem('wayside.session', JSON.stringify({ accessToken, user: { ...rights, ...names } }))
  }, token)
  const filter = encodeURIComponent(JSON.stringify({ customerId }))
  await page.goto(`${httpUrl}/locations?filter=${filter}`)
  const ours = await measureConsole(page, httpUrl, token, customerId)
  await page.evaluate(readFileSync(LEAFLET, 'utf8'))
  await page.evaluate(drawBare)
  const shown = await page.evaluate(showBare, `customerId=${customerId}`)
  const frames = await dragged(page)
  const filtered = await page.evaluate(showBare, `customerId=${customerId}&deviceName=${FILTER_NAME}`)
  await page.close()
  print(count, ours, { shownMs: shown.fromAnswerMs, ...frames, filteredMs: filtered.fromAskingMs })
}

interface MapTimes {
  /** From the end of the answer to the frame that shows it. */
  readonly shownMs: number
  readonly frameMs: readonly number[]
  /** The same three zooms closer. */
  readonly closerFrameMs: readonly number[]
  /** From the end of typing to the frame that shows it, with the call. */
  readonly filteredMs: number
}

async function dragged(page: Page) {
  const frameMs = await page.evaluate(dragMap, DRAG)
  await page.evaluate(lookCloser, CLOSER_BY)
  return { frameMs, closerFrameMs: await page.evaluate(dragMap, DRAG) }
}

async function measureConsole(page: Page, httpUrl: string, token: string, customerId: number): Promise<MapTimes> {
  const shownMs = await page.evaluate(drawnAfterAnswer)
  // Lists, outlines and the live stream settle.
  await page.waitForTimeout(1_000)
  const frames = await dragged(page)
  const query = new URLSearchParams({ customerId: String(customerId), deviceName: FILTER_NAME })
  const answer = await fetch(`${httpUrl}/api/Device/GetDevicePins?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { ids } = (await answer.json()) as { ids: number[] }
  const shows = `${ids.length.toLocaleString('en')} devices on`
  return { shownMs, ...frames, filteredMs: await page.evaluate(filterConsole, { name: FILTER_NAME, shows }) }
}

const framesASecond = (frameMs: readonly number[]) => (1000 * frameMs.length) / frameMs.reduce((sum, ms) => sum + ms, 0)

function print(count: number, ours: MapTimes, bare: MapTimes) {
  const line = (name: string, mine: number, theirs: number, unit: string, verdict = '') =>
    console.log(
      `  ${name.padEnd(34)}${fine(mine).padStart(9)} ${unit}   bare Leaflet ${fine(theirs).padStart(9)} ${unit}   ` +
        `ratio ${(mine / theirs).toFixed(2)}${verdict}`,
    )
  console.log(`${count} devices on the map`)
  line('drawn after the answer', ours.shownMs, bare.shownMs, 'ms')
  for (const [where, kind] of [
    ['dragged', 'frameMs'],
    ['dragged closer', 'closerFrameMs'],
  ] as const) {
    const [mine, theirs] = [framesASecond(ours[kind]), framesASecond(bare[kind])]
    const isReached = mine > MUST_FRAMES_A_SECOND
    if (!isReached) process.exitCode = 1
    line(
      `${where}, frames a second`,
      mine,
      theirs,
      '/s',
      `   ${isReached ? 'reached' : 'MISSED'} (must ${MUST_FRAMES_A_SECOND})`,
    )
    line(`${where}, longest frames (95 %)`, quantile(ours[kind], 0.95), quantile(bare[kind], 0.95), 'ms')
  }
  line('filtered, with the call', ours.filteredMs, bare.filteredMs, 'ms')
}
