import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import pg from 'pg'
import { count, SEED } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { CONSOLE_FOLDER, openBrowser } from '../openBrowser.ts'
import { makeFleet } from '../overview/fleet.ts'
import { buildBareConsole } from './bareConsole.ts'
import { type Conditions, loadPage, type Opened, type PageLoad, stepsOf } from './pageLoad.ts'

/** It stands for a phone at the edge of a cell. */
const SLOW: Conditions = { bytesASecond: 1_600_000 / 8, latencyMs: 150, processorSlowedBy: 4 }

/** Sizes are in kB by gzip, times in milliseconds; for the sign-in page only the size counts. */
const OVERVIEW = { aimKb: 138, mustKb: 165, mustRequests: 25, mustPaintMs: 2_000, mustBlockedMs: 150 }
const SIGN_IN = { mustKb: 97 }

export const web = describeTrial({
  name: 'web',
  proves: 'What the Overview and the sign-in page weigh and how late they are, beside a page of React alone.',
  options: {
    repeats: count(5, 'loads of each page'),
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
    await db.end()
    const bareFolder = await buildBareConsole(join(run.folder, 'bare'))
    const bare = await run.product(database, { consoleFolder: bareFolder })
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    const pages = {
      bare: { name: 'React alone', url: bare.httpUrl, usable: '#shown', consoleFolder: bareFolder },
      signIn: {
        name: 'sign-in page',
        url: `${httpUrl}/login`,
        usable: 'input[type=password]',
        consoleFolder: CONSOLE_FOLDER,
      },
      overview: {
        name: 'Overview',
        url: `${httpUrl}/overview`,
        session: await sessionOf(httpUrl, staffToken),
        usable: '.kpi-value:not([data-loading])',
        consoleFolder: CONSOLE_FOLDER,
      },
    }
    await measure(run, browser, pages, run.options.repeats)
    await browser.close()
  },
})

async function sessionOf(httpUrl: string, accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${httpUrl}/api/App/GetClientAuthData`, { headers })
  return JSON.stringify({ accessToken, user: await answer.json() })
}

async function measure(judge: Judge, browser: Browser, pages: Readonly<Record<string, Opened>>, repeats: number) {
  const loads = new Map(Object.values(pages).map((page): [Opened, PageLoad[]] => [page, []]))
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [page, done] of loads) done.push(await loadPage(browser, page, SLOW))
  }
  weigh(loads)
  await time(browser, loads)
  const median = (page: Opened | undefined, of: keyof PageLoad) => (page ? medianOf(loads.get(page) ?? [], of) : 0)
  const { overview, signIn } = pages
  console.log('')
  const row = openTable(['measured', 'must'])
  const line = (what: string, measured: number, must: number, aim?: number) =>
    row(what, [measured, must], judge.verdict(what, measured <= must, aim === undefined ? undefined : measured <= aim))
  line('Overview, script before it is usable, kB', median(overview, 'scriptBeforeKb'), OVERVIEW.mustKb, OVERVIEW.aimKb)
  line('Overview, requests before it is usable', median(overview, 'requestsBefore'), OVERVIEW.mustRequests)
  line('Overview, largest paint, ms', median(overview, 'largestPaintMs'), OVERVIEW.mustPaintMs)
  line('Overview, blocked, ms', median(overview, 'blockedMs'), OVERVIEW.mustBlockedMs)
  line('sign-in page, script, kB', median(signIn, 'scriptKb'), SIGN_IN.mustKb)
}

const medianOf = (loads: readonly PageLoad[], of: keyof PageLoad) =>
  quantile(
    loads.map((load) => Number(load[of])),
    0.5,
  )

function weigh(loads: ReadonlyMap<Opened, readonly PageLoad[]>) {
  console.log(
    '\nWhat it weighs: kB of script by gzip, of all others as sent, and requests; before it is usable, and at all',
  )
  const row = openTable(['script before', 'script', 'styles', 'fonts', 'sent', 'asked before', 'asked'], 16)
  const columns = ['scriptBeforeKb', 'scriptKb', 'styleKb', 'fontKb', 'sentKb', 'requestsBefore', 'requests'] as const
  for (const [{ name }, done] of loads)
    row(
      name,
      columns.map((column) => medianOf(done, column)),
    )
}

async function time(browser: Browser, loads: ReadonlyMap<Opened, readonly PageLoad[]>) {
  console.log(
    '\nWhen it is there at 1.6 Mbit/s, 150 ms to the server and a processor slowed by 4; ms, and waits in a row',
  )
  const row = openTable(['first paint', 'largest', 'usable', 'blocked', 'waits', 'shift'], 16)
  const columns = ['firstPaintMs', 'largestPaintMs', 'usableMs', 'blockedMs'] as const
  for (const [page, done] of loads) {
    const times = columns.map((column) => medianOf(done, column))
    const shift = medianOf(done, 'shift').toFixed(3)
    row(page.name, [...times, String(await stepsOf(browser, page)), shift], `largest: ${done.at(-1)?.largest}`)
  }
}
