import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import pg from 'pg'
import { count, SEED, words } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { CONSOLE_FOLDER, openBrowser } from '../openBrowser.ts'
import { makeFleet } from '../overview/fleet.ts'
import { buildBareConsole } from './bareConsole.ts'
import { type Conditions, loadPage, type Opened, type PageLoad, stepsOf } from './pageLoad.ts'
import { type BenchPage, pagesOf, SIGN_IN } from './pages.ts'

/** It stands for a phone at the edge of a cell. */
const SLOW: Conditions = { bytesASecond: 1_600_000 / 8, latencyMs: 150, processorSlowedBy: 4 }

export const web = describeTrial({
  name: 'web',
  proves: 'What each page weighs and how late it is, beside a table drawn by React alone.',
  options: {
    repeats: count(1, 'loads of each page'),
    waits: count(0, 'also counts the answers that each page waits for in a row, if 1', 0),
    page: words('only the pages of these names, such as Devices,Locations'),
    devices: count(2_000, 'devices'),
    alerts: count(20_000, 'alerts of a year'),
    seed: SEED,
  },
  async run(run) {
    const browser = await openBrowser()
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    await db.query('select setseed($1)', [run.chance('fleet')])
    const token = () => randomBytes(32).toString('base64url')
    const { staffToken } = await makeFleet(db, run.options, [token(), token()])
    const wanted = run.options.page.split(',')
    const pages = [SIGN_IN, ...(await pagesOf(db))].filter(({ name }) => wanted[0] === '' || wanted.includes(name))
    await db.end()
    const bareFolder = await buildBareConsole(join(run.folder, 'bare'))
    const bare = await run.product(database, { consoleFolder: bareFolder })
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    const session = await sessionOf(httpUrl, staffToken)
    await measure(run, browser, [
      { name: 'React alone', url: bare.httpUrl, frame: '#shown', usable: '#shown', consoleFolder: bareFolder },
      ...pages.map((page) => ({
        ...page,
        url: `${httpUrl}${page.path}`,
        consoleFolder: CONSOLE_FOLDER,
        ...(page !== SIGN_IN && { session }),
      })),
    ])
    await browser.close()
  },
})

async function sessionOf(httpUrl: string, accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${httpUrl}/api/App/GetClientAuthData`, { headers })
  return JSON.stringify({ accessToken, user: await answer.json() })
}

type Measured = Opened & Partial<BenchPage>

/** Prints a page as soon as it is measured. */
async function measure(run: WebRun, browser: Browser, pages: readonly Measured[]) {
  console.log(
    `\nAt 1.6 Mbit/s, 150 ms to the server and a processor slowed by 4. Script in kB by gzip until the frame of the page
is there (own), until it is usable (before) and in all; requests likewise; scripts below 2 kB of those; times in ms.`,
  )
  const row = openTable(
    COLUMNS.map(({ heading }) => heading),
    22,
  )
  for (const page of pages) {
    const loads: PageLoad[] = []
    try {
      for (let repeat = 0; repeat < run.options.repeats; repeat++) loads.push(await loadPage(browser, page, SLOW))
    } catch (failure) {
      run.wrong(`${page.name} was not measured: ${(failure as Error).message.split('\n')[0]}`)
      continue
    }
    const waits = run.options.waits > 0 ? `waits ${await stepsOf(browser, page)}` : ''
    const missed = LIMITS.flatMap(({ what, of, must }) => missedOf(run, page, what, medianOf(loads, of), page[must]))
    row(
      page.name,
      COLUMNS.map(({ of, isExact }) => (isExact ? medianOf(loads, of).toFixed(3) : medianOf(loads, of))),
      [...missed, waits, ...seenOf(loads.at(-1))].filter((one) => one !== '').join(', '),
    )
  }
}

const seenOf = (load: PageLoad | undefined) => [
  `largest: ${load?.largest}`,
  load?.shifted ? `moved: ${load.shifted}` : '',
]

type WebRun = Judge & {
  readonly options: { readonly repeats: number; readonly waits: number }
  wrong(sentence: string): void
}

const COLUMNS: readonly { readonly heading: string; readonly of: keyof PageLoad; readonly isExact?: true }[] = [
  { heading: 'own script', of: 'ownScriptKb' },
  { heading: 'before', of: 'scriptBeforeKb' },
  { heading: 'script', of: 'scriptKb' },
  { heading: 'small', of: 'smallScripts' },
  { heading: 'styles', of: 'styleKb' },
  { heading: 'asked before', of: 'requestsBefore' },
  { heading: 'asked', of: 'requests' },
  { heading: 'first paint', of: 'firstPaintMs' },
  { heading: 'largest', of: 'largestPaintMs' },
  { heading: 'usable', of: 'usableMs' },
  { heading: 'blocked', of: 'blockedMs' },
  { heading: 'shift', of: 'shift', isExact: true },
]

const LIMITS = [
  { what: 'script', of: 'ownScriptKb', must: 'mustKb' },
  { what: 'requests', of: 'requestsBefore', must: 'mustRequests' },
  { what: 'largest paint', of: 'largestPaintMs', must: 'mustPaintMs' },
  { what: 'blocked', of: 'blockedMs', must: 'mustBlockedMs' },
] as const

function missedOf(run: Judge, { name }: Measured, what: string, measured: number, must: number | undefined): string[] {
  if (must === undefined) return []
  run.verdict(`${name}, ${what}`, measured <= must)
  return measured <= must ? [] : [`${what.toUpperCase()} OVER ${must}`]
}

const medianOf = (loads: readonly PageLoad[], of: keyof PageLoad) =>
  quantile(
    loads.map((load) => Number(load[of])),
    0.5,
  )
