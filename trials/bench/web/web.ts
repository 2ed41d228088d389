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
    repeats: count(5, 'loads of each page'),
    page: words('only the page of this name, such as Devices'),
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
    const pages = [SIGN_IN, ...(await pagesOf(db))].filter(({ name }) => ['', name].includes(run.options.page))
    await db.end()
    const bareFolder = await buildBareConsole(join(run.folder, 'bare'))
    const bare = await run.product(database, { consoleFolder: bareFolder })
    const { httpUrl } = await run.product(database, { consoleFolder: CONSOLE_FOLDER })
    const session = await sessionOf(httpUrl, staffToken)
    await measure(
      run,
      browser,
      { name: 'React alone', url: bare.httpUrl, usable: '#shown', consoleFolder: bareFolder },
      pages.map((page) => ({
        ...page,
        url: `${httpUrl}${page.path}`,
        consoleFolder: CONSOLE_FOLDER,
        ...(page !== SIGN_IN && { session }),
      })),
    )
    await browser.close()
  },
})

async function sessionOf(httpUrl: string, accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${httpUrl}/api/App/GetClientAuthData`, { headers })
  return JSON.stringify({ accessToken, user: await answer.json() })
}

type Measured = Opened & BenchPage

async function measure(
  run: Judge & { readonly options: { readonly repeats: number } },
  browser: Browser,
  bare: Opened,
  pages: readonly Measured[],
) {
  const loads = new Map([bare, ...pages].map((page): [Opened, PageLoad[]] => [page, []]))
  for (let repeat = 0; repeat < run.options.repeats; repeat++) {
    for (const [page, done] of loads) done.push(await loadPage(browser, page, SLOW))
  }
  weigh(loads)
  await time(browser, loads)
  console.log('\nMeasured and must: kB of script and requests before it is usable, largest paint and blocked in ms')
  const row = openTable(['script', 'must', 'requests', 'must', 'largest', 'must', 'blocked', 'must'], 22)
  for (const page of pages) judge(run, row, page, loads.get(page) ?? [])
}

function judge(run: Judge, row: ReturnType<typeof openTable>, page: Measured, loads: readonly PageLoad[]) {
  const { name, aimKb, mustKb, mustRequests, mustPaintMs, mustBlockedMs } = page
  const limits = [
    { what: 'script', of: 'scriptBeforeKb', must: mustKb, aim: aimKb },
    { what: 'requests', of: 'requestsBefore', must: mustRequests, aim: undefined },
    { what: 'largest paint', of: 'largestPaintMs', must: mustPaintMs, aim: undefined },
    { what: 'blocked', of: 'blockedMs', must: mustBlockedMs, aim: undefined },
  ] as const
  const cells = limits.flatMap(({ of, must }) => [medianOf(loads, of), must ?? '–'])
  const said = limits.map(({ what, of, must, aim }) => {
    if (must === undefined) return ''
    const measured = medianOf(loads, of)
    const verdict = run.verdict(`${name}, ${what}`, measured <= must, aim === undefined ? undefined : measured <= aim)
    return measured <= (aim ?? must) ? '' : `${what} ${verdict}`
  })
  row(name, cells, said.filter((one) => one !== '').join(', '))
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
  const row = openTable(['script before', 'script', 'styles', 'fonts', 'sent', 'asked before', 'asked'], 22)
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
  const row = openTable(['first paint', 'largest', 'usable', 'blocked', 'waits', 'shift'], 22)
  const columns = ['firstPaintMs', 'largestPaintMs', 'usableMs', 'blockedMs'] as const
  for (const [page, done] of loads) {
    const times = columns.map((column) => medianOf(done, column))
    const shift = medianOf(done, 'shift').toFixed(3)
    row(page.name, [...times, String(await stepsOf(browser, page)), shift], `largest: ${done.at(-1)?.largest}`)
  }
}
