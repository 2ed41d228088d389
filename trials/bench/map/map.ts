import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from '@playwright/test'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { count, SEED } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { beSignedIn, CONSOLE_FOLDER, openBrowser } from '../openBrowser.ts'
import { makeMapFleet } from './fleet.ts'
import { dragMap, drawBare, drawnAfterAnswer, filterConsole, lookCloser, showBare } from './inPage.ts'

const LEAFLET = createRequire(import.meta.url).resolve('leaflet')
const REPEATS = 15
/** The drag begins at zoom 4. */
const CLOSER_BY = 3
const DRAG = { strokes: 6, frames: 40, stepPx: 9 }
/** A stroke is shorter than a view, and never ends in an empty region. */
const FILTER_NAME = '00'
const MUST_FRAMES_A_SECOND = 30
/** All pins of a fleet of 100,000 may take this many times as long as plain rows from the database. */
const MUST_RATIO = 2

export const map = describeTrial({
  name: 'map',
  proves: 'All pins beside their plain rows, and the map in a browser beside the bare library, with the same devices.',
  options: { devices: count(100_000, 'devices'), seed: SEED },
  async run(run) {
    const { devices } = run.options
    const browser = await openBrowser()
    const database = await run.database()
    const db = openPool(database.ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    const shownFleets = [10_000, 20_000].filter((some) => some <= devices)
    const others = devices - shownFleets.reduce((sum, some) => sum + some, 0)
    const customerIds = await makeMapFleet(db, [...shownFleets, Math.max(0, others)], run.chance('fleet'))
    const token = await openSession(db, await addUser(db, { username: 'map@bench.example', functions: [2] }))
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    await measureServer(run, db, { httpUrl, token, customerIds, devices })
    for (const [index, some] of shownFleets.entries()) {
      await measureMap(run, browser, { httpUrl, token, customerId: customerIds[index] ?? 0, devices: some })
    }
    await db.end()
    await browser.close()
  },
})

/** Reads the same devices as plain rows, as any answer has to. */
const PLAIN = `select d.id, d.guid, d.name, d.latitude, d.longitude, d.status_id, o.device_id is not null, a.count,
    n.light, n.light_since, n.is_on_battery, n.wrong_kinds, n.silent_since, n.cause ->> 'sentence'
  from device d left join device_now n on n.device_id = d.id
  left join (select distinct device_id from device_connection c join server_process p on p.id = c.process_id
    where not is_silent and lease_until > now()) o on o.device_id = d.id
  left join (select device_id, count(*) from alert
    where status_id = 1 and condition_state_id = 1 and withdrawn_at is null group by 1) a on a.device_id = d.id
  where d.deleted_at is null and d.latitude is not null and ($1::int is null or d.customer_id = $1)`

interface ServerRequest {
  readonly httpUrl: string
  readonly token: string
  readonly customerIds: readonly number[]
  readonly devices: number
}

async function measureServer(judge: Judge, db: pg.Pool, { httpUrl, token, customerIds, devices }: ServerRequest) {
  const asText = { getTypeParser: () => (text: unknown) => text }
  console.log('\nAll pins of a filter, server and wire together, beside the plain rows by SQL')
  const row = openTable(['p50 ms', 'p95 ms', 'MB', 'rows p50 ms', 'ratio'], 20)
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
    const rows = quantile(plain, 0.5)
    const ratio = quantile(ours, 0.5) / rows
    const verdict = `${judge.verdict(`the pins of ${name}`, ratio <= MUST_RATIO)} (must ${MUST_RATIO})`
    row(name, [quantile(ours, 0.5), quantile(ours, 0.95), bytes / 1e6, rows, ratio.toFixed(2)], verdict)
  }
}

interface MapRequest {
  readonly httpUrl: string
  readonly token: string
  readonly customerId: number
  readonly devices: number
}

async function measureMap(judge: Judge, browser: Browser, { httpUrl, token, customerId, devices }: MapRequest) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await beSignedIn(page, token)
  const filter = encodeURIComponent(JSON.stringify({ customerId }))
  await page.goto(`${httpUrl}/locations?filter=${filter}`)
  const ours = await measureConsole(page, httpUrl, token, customerId)
  await page.evaluate(readFileSync(LEAFLET, 'utf8'))
  await page.evaluate(drawBare)
  const shown = await page.evaluate(showBare, `customerId=${customerId}`)
  const frames = await dragged(page)
  const filtered = await page.evaluate(showBare, `customerId=${customerId}&deviceName=${FILTER_NAME}`)
  await page.close()
  print(judge, devices, ours, { shownMs: shown.fromAnswerMs, ...frames, filteredMs: filtered.fromAskingMs })
}

interface MapTimes {
  /** The time from the end of the answer to the frame that shows it. */
  readonly shownMs: number
  readonly frameMs: readonly number[]
  /** The frames at three zooms closer. */
  readonly closerFrameMs: readonly number[]
  /** The time from the end of typing to the frame that shows it, with the call. */
  readonly filteredMs: number
}

async function dragged(page: Page) {
  const frameMs = await page.evaluate(dragMap, DRAG)
  await page.evaluate(lookCloser, CLOSER_BY)
  return { frameMs, closerFrameMs: await page.evaluate(dragMap, DRAG) }
}

async function measureConsole(page: Page, httpUrl: string, token: string, customerId: number): Promise<MapTimes> {
  const shownMs = await page.evaluate(drawnAfterAnswer)
  // Lists, outlines and the live stream settle meanwhile.
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

function print(judge: Judge, devices: number, ours: MapTimes, bare: MapTimes) {
  console.log(`\n${devices} devices on the map`)
  const row = openTable(['console', 'bare Leaflet', 'ratio'])
  const line = (name: string, mine: number, theirs: number, verdict = '') =>
    row(name, [mine, theirs, (mine / theirs).toFixed(2)], verdict)
  line('drawn after the answer, ms', ours.shownMs, bare.shownMs)
  for (const [where, kind] of [
    ['dragged', 'frameMs'],
    ['dragged closer', 'closerFrameMs'],
  ] as const) {
    const [mine, theirs] = [framesASecond(ours[kind]), framesASecond(bare[kind])]
    const verdict = judge.verdict(`the map ${where}`, mine > MUST_FRAMES_A_SECOND)
    line(`${where}, frames a second`, mine, theirs, `${verdict} (must ${MUST_FRAMES_A_SECOND})`)
    line(`${where}, longest frames (95 %), ms`, quantile(ours[kind], 0.95), quantile(bare[kind], 0.95))
  }
  line('filtered, with the call, ms', ours.filteredMs, bare.filteredMs)
}
