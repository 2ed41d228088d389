import { type BrowserContext, test as base, expect, type Response } from '@playwright/test'
import { type MailServer, startMailServer } from '#testing/mailServer.ts'
import { type DemoUser, signIn } from './signIn.ts'
import { type RunningSystem, startSystem } from './system.ts'

const DEMO_DEVICES = 14

interface Fixtures {
  readonly signInAs: (user: DemoUser, path?: string) => Promise<void>
  /** Collects what the browser complained about: the test fails when this is not empty at its end. */
  readonly complaints: string[]
  /**
   * Names refusals that this journey causes: calls (`404 Device/GetDevice`), the answers to an ended session (`401`),
   * or words of an error in the console. One that does not come is a complaint too.
   */
  readonly expectRefused: (...refusals: readonly string[]) => void
  /** Names refusals that come or not, as it depends on which of two answers is there first. */
  readonly mayBeRefused: (...refusals: readonly string[]) => void
}

interface Wanting {
  /** Records for each expected refusal whether it came. */
  readonly wanted: Map<string, boolean>
}

interface OfWorker {
  readonly mailServer: MailServer
  /** The journeys of one worker share it: they change what the next sees. */
  readonly system: RunningSystem
}

export const test = base.extend<Fixtures & Wanting, OfWorker>({
  mailServer: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright reads
    async ({}, use) => {
      const server = await startMailServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  system: [
    async ({ mailServer }, use) => {
      const system = await startSystem(DEMO_DEVICES, {
        WAYSIDE_SMTP_URL: mailServer.url,
        // Journeys start identity providers there.
        WAYSIDE_OUTBOUND_ALLOW: '127.0.0.1',
      })
      await use(system)
      await system.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ system }, use) => use(system.httpUrl),
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright reads
  wanted: async ({}, use) => use(new Map()),
  expectRefused: async ({ wanted }, use) =>
    use((...refusals) => {
      for (const refusal of refusals) wanted.set(refusal, false)
    }),
  mayBeRefused: async ({ wanted }, use) =>
    use((...refusals) => {
      for (const refusal of refusals) wanted.set(refusal, true)
    }),
  complaints: [
    async ({ browser, page, system, wanted }, use) => {
      const complaints: string[] = []
      const complain = (complaint: string) => {
        const expected = [...wanted.keys()].filter((refusal) => complaint.includes(refusal))
        for (const refusal of expected) wanted.set(refusal, true)
        if (expected.length === 0) complaints.push(complaint)
      }
      // Journeys open other tabs and browsers, whose complaints count too.
      const hear = (context: BrowserContext) => hearComplaints(context, complain)
      for (const context of browser.contexts()) hear(context)
      browser.on('context', hear)
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(system.httpUrl) && !/^(data|blob):/.test(url)) complain(`fetched ${url}`)
      })
      await use(complaints)
      browser.off('context', hear)
      const missing = [...wanted].filter(([, hasCome]) => !hasCome).map(([refusal]) => `never refused: ${refusal}`)
      expect([...complaints, ...missing]).toEqual([])
    },
    { auto: true },
  ],
  signInAs: async ({ page, system }, use) => use((user, path) => signIn(page, user, system, path)),
})

function hearComplaints(context: BrowserContext, complain: (complaint: string) => void) {
  context.on('weberror', (error) => complain(`script error: ${error.error().message}`))
  context.on('console', (message) => {
    // The response itself says more: which call it was.
    const isRefusedCall = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isRefusedCall) complain(`console: ${message.text()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) complain(`refused: ${refusalOf(response)}`)
  })
}

/** Formats a refusal as `expectRefused` names it. */
const refusalOf = (response: Response) =>
  `${response.status()} ${new URL(response.url()).pathname.replace(/^\/(api\/)?/, '')}`

export { expect }
