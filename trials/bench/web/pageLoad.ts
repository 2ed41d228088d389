import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { type Paints, paintsSeen, watchPaints } from './inPage.ts'

/** A page that the browser has never seen. */
export interface Opened {
  readonly name: string
  readonly url: string
  /** The session that the console has left in this browser. */
  readonly session?: string
  /** The page has this when its own script has run, whatever it asks for then. */
  readonly frame: string
  /** The page has this before somebody can use it. */
  readonly usable: string
  /** The server sends the files of this folder. */
  readonly consoleFolder: string
}

export interface PageLoad extends Paints {
  readonly usableMs: number
  readonly requests: number
  /** Counts those that began before the page was usable. */
  readonly requestsBefore: number
  /** The sizes by gzip, whatever the server sent: until its frame is there, until it is usable, and of all. */
  readonly ownScriptKb: number
  readonly scriptBeforeKb: number
  readonly scriptKb: number
  /** Scripts below this size by gzip are requests for nearly nothing. */
  readonly smallScripts: number
  readonly styleKb: number
  readonly fontKb: number
  readonly sentKb: number
}

export interface Conditions {
  readonly bytesASecond: number
  readonly latencyMs: number
  readonly processorSlowedBy: number
}

interface Request {
  readonly path: string
  readonly type: string
  readonly atMs: number
  sentBytes: number
  isDone: boolean
}

const UNLIMITED = -1
const QUIET_MS = 1_000
/** Some pages never stop asking. */
const QUIET_WITHIN_MS = 6_000
const USABLE_WITHIN_MS = 30_000
const SMALL_KB = 2
const LIVE = '/Live/'

/** Loads a page once with an empty cache, until the network is quiet. */
export async function loadPage(browser: Browser, opened: Opened, conditions: Conditions): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  try {
    const { session: kept } = opened
    if (kept !== undefined) await page.addInitScript((text) => localStorage.setItem('wayside.session', text), kept)
    await page.addInitScript(watchPaints, { frame: opened.frame, usable: opened.usable })
    const session = await context.newCDPSession(page)
    const asked = await watchRequests(session)
    await slowDown(session, conditions)
    await page.goto(opened.url, { waitUntil: 'commit', timeout: 120_000 })
    const paints = await settled(page, asked)
    return { ...paints, ...weighed(asked, paints, opened.consoleFolder) }
  } finally {
    await context.close()
  }
}

async function slowDown(session: CDPSession, { bytesASecond, latencyMs, processorSlowedBy }: Conditions) {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesASecond,
    uploadThroughput: bytesASecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowedBy })
}

async function watchRequests(session: CDPSession): Promise<ReadonlyMap<string, Request>> {
  const asked = new Map<string, Request>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type = '', wallTime }) => {
    asked.set(requestId, {
      path: new URL(request.url).pathname,
      type,
      atMs: wallTime * 1000,
      sentBytes: 0,
      isDone: false,
    })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId)
    if (one) Object.assign(one, { sentBytes: encodedDataLength, isDone: true })
  })
  session.on('Network.loadingFailed', ({ requestId }) => {
    const one = asked.get(requestId)
    if (one) one.isDone = true
  })
  await session.send('Network.enable')
  return asked
}

/** The live stream never ends, and polls every minute never stop. */
async function settled(page: Page, asked: ReadonlyMap<string, Request>): Promise<Paints> {
  await page.waitForFunction(() => window.benchPaints?.usableMs > 0, undefined, { timeout: USABLE_WITHIN_MS })
  let seen = 0
  let quietSinceMs = performance.now()
  const untilMs = quietSinceMs + QUIET_WITHIN_MS
  while (performance.now() - quietSinceMs < QUIET_MS && performance.now() < untilMs) {
    const open = [...asked.values()].filter(({ isDone, path }) => !isDone && !path.includes(LIVE)).length
    if (open > 0 || asked.size !== seen) quietSinceMs = performance.now()
    seen = asked.size
    await page.waitForTimeout(100)
  }
  return page.evaluate(paintsSeen)
}

function weighed(
  asked: ReadonlyMap<string, Request>,
  { framedAtMs, usableAtMs }: Pick<Paints, 'framedAtMs' | 'usableAtMs'>,
  consoleFolder: string,
) {
  const all = [...asked.values()].filter(({ path }) => path !== '')
  const own = all.filter(({ atMs }) => atMs < framedAtMs)
  const before = all.filter(({ atMs }) => atMs < usableAtMs)
  const scriptKb = (some: readonly Request[]) =>
    some.filter(({ type }) => type === 'Script').reduce((sum, { path }) => sum + gzipKb(join(consoleFolder, path)), 0)
  const sentKb = (type?: string) =>
    all.filter((one) => type === undefined || one.type === type).reduce((sum, one) => sum + one.sentBytes, 0) / 1000
  return {
    requests: all.length,
    requestsBefore: before.length,
    ownScriptKb: scriptKb(own),
    scriptBeforeKb: scriptKb(before),
    scriptKb: scriptKb(all),
    smallScripts: own.filter(({ type, path }) => type === 'Script' && gzipKb(join(consoleFolder, path)) < SMALL_KB)
      .length,
    styleKb: sentKb('Stylesheet'),
    fontKb: sentKb('Font'),
    sentKb: sentKb(),
  }
}

/** Small files have no compressed copy. */
function gzipKb(path: string): number {
  const found = statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path, { throwIfNoEntry: false })
  return (found?.size ?? 0) / 1000
}

/** Answers take this long and nothing else does, which shows how often the page waits for one before the next. */
const STEP_MS = 1_000

export async function stepsOf(browser: Browser, opened: Opened): Promise<number> {
  const { usableMs } = await loadPage(browser, opened, {
    bytesASecond: UNLIMITED,
    latencyMs: STEP_MS,
    processorSlowedBy: 1,
  })
  return Math.floor(usableMs / STEP_MS)
}
