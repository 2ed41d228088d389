import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureFirstAdmin, FIRST_ADMIN } from '#server/features/people/signIn/firstAdmin.ts'
import { type RoundOptions, roundsOf, type Values } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeCampaign } from '../../frame/trial.ts'
import { unknownPlaces } from './places.ts'
import { doTrapsCatch, setTraps, visitLists, visitPages, visitText, type Written } from './screens.ts'
import { HOSTILE_TEXTS } from './texts.ts'
import { Writer } from './Writer.ts'

const CONSOLE_FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url))
const PASSWORD = 'gravel tuba at lantern pier'
/** Every page of a subject opens for one text in so many: texts differ in what they say, not in where they stand. */
const ONE_IN = 10
const ROWS_A_TEXT = 20
const ROWS_A_PAGE = 100

export const hostileTexts = describeCampaign({
  name: 'hostile-texts',
  proves: 'Nothing that people or devices write is ever taken for anything but text, on any screen.',
  options: roundsOf(HOSTILE_TEXTS.length, 'texts, each in every place that takes one'),
  brief: { rounds: 2 },
  async run(run) {
    for (const path of unknownPlaces()) run.wrong(`${path} takes a text, and nobody has said where it is shown.`)
    const { httpUrl, stop } = await startProduct(run)
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    try {
      const writer = await Writer.signIn(httpUrl, FIRST_ADMIN, PASSWORD)
      const written: Written[] = []
      for (const round of run.rounds()) written.push(await writer.write(chosenText(run, round), round))
      console.log(`${written.length} texts are written`)

      const context = await browser.newContext({ baseURL: httpUrl, viewport: { width: 1440, height: 900 } })
      const { accessToken, ...user } = writer.session
      await context.addInitScript(
        (session) => localStorage.setItem('wayside.session', session),
        JSON.stringify({ accessToken, user }),
      )
      const page = await context.newPage()
      const caught = await setTraps(page, httpUrl)
      await visitLists(page, written, Math.ceil((written.length * ROWS_A_TEXT) / ROWS_A_PAGE))
      for (const [index, one] of written.entries()) {
        await visitText(page, one)
        if (index % ONE_IN === 0) await visitPages(page, one)
        for (const offence of caught.splice(0)) run.wrong(`${offence}, by ${one.text} or one before it`)
      }
      if (!(await doTrapsCatch(page, HOSTILE_TEXTS, caught))) run.wrong('The traps catch nothing.')
    } finally {
      await browser.close()
      await stop()
    }
  },
})

/** Chooses texts in an order of the seed's; after all of them they come again with a number. */
function chosenText(run: Run<Values<RoundOptions>>, round: number) {
  const inOrder = HOSTILE_TEXTS.map((text, index) => ({ text, place: run.chance('order', index) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ text }) => text)
  const turn = Math.floor(round / inOrder.length)
  const text = inOrder[round % inOrder.length] ?? ''
  return turn === 0 ? text : `${text} ${turn}`
}

async function startProduct(run: Run<Values<RoundOptions>>) {
  const { ownerUrl, applicationUrl } = await run.database()
  const product = run.worker(new URL('../../frame/productServer.ts', import.meta.url))
  const start = { ownerUrl, applicationUrl }
  const { httpUrl } = await product.ask<{ httpUrl: string }>({ start, consoleFolder: CONSOLE_FOLDER })
  const pool = openPool(applicationUrl, { maximumConnections: 1, name: 'hostile texts' })
  await ensureFirstAdmin(openDatabase(pool), { username: FIRST_ADMIN, password: PASSWORD })
  await pool.end()
  return { httpUrl, stop: () => product.end() }
}
