import { test as base, expect, type Response } from '@playwright/test'
import { type MailServer, startMailServer } from '#server/testing/mailServer.ts'
import { type DemoUser, signIn } from './signIn.ts'
import { type RunningSystem, startSystem } from './system.ts'

const DEMO_DEVICES = 14

interface Fixtures {
  /** Opens the console as somebody who is signed in. */
  readonly signInAs: (user: DemoUser, path?: string) => Promise<void>
  /** What the browser complained about: the test fails when this is not empty at its end. */
  readonly complaints: string[]
  /** Calls that this journey wants to be refused, e.g. `400 Device/GetDeviceList`; any other refused read is a complaint. */
  readonly expectRefused: (...refusals: readonly string[]) => void
}

interface Wanting {
  readonly wanted: Set<string>
}

interface OfWorker {
  /** A real mail server beside the system. */
  readonly mailServer: MailServer
  /** Shared by the journeys of one worker: they change what the next sees. */
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
        // Identity providers of journeys.
        WAYSIDE_OUTBOUND_ALLOW: '127.0.0.1',
      })
      await use(system)
      await system.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ system }, use) => use(system.httpUrl),
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright reads
  wanted: async ({}, use) => use(new Set()),
  expectRefused: async ({ wanted }, use) =>
    use((...refusals) => {
      for (const refusal of refusals) wanted.add(refusal)
    }),
  complaints: [
    async ({ page, system, wanted }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
      page.on('console', (message) => {
        // The response itself says more: which call it was.
        const isRefusedCall = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isRefusedCall) complaints.push(`console: ${message.text()}`)
      })
      const refusals: Promise<string | undefined>[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refusals.push(refusalOf(response))
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(system.httpUrl) && !/^(data|blob):/.test(url)) complaints.push(`fetched ${url}`)
      })
      await use(complaints)
      const refused = (await Promise.all(refusals)).filter((one) => one !== undefined && !wanted.has(one))
      expect([...complaints, ...refused.map((one) => `refused: ${one}`)]).toEqual([])
    },
    { auto: true },
  ],
  signInAs: async ({ page, system }, use) => use((user, path) => signIn(page, user, system, path)),
})

/** As `expectRefused` names it. That the server wants a fresh proof is how the console learns that it has to ask for one. */
async function refusalOf(response: Response): Promise<string | undefined> {
  const { code } = (await response.json().catch(() => ({}))) as { readonly code?: string }
  if (code === 'step_up_required') return undefined
  // A change that is refused says so where it was made, and the page of what was just deleted may ask for it once more.
  const isRead = response.request().method() === 'GET'
  if (response.status() < 500 && (!isRead || [401, 404].includes(response.status()))) return undefined
  return `${response.status()} ${new URL(response.url()).pathname.replace(/^\/(api\/)?/, '')}`
}

export { expect }
