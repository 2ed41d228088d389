import { test as base, expect } from '@playwright/test'
import { type MailServer, startMailServer } from '#server/testing/mailServer.ts'
import { type DemoUser, signIn } from './signIn.ts'
import { type RunningSystem, startSystem } from './system.ts'

const DEMO_DEVICES = 14

interface Fixtures {
  /** Opens the console as somebody who is signed in. */
  readonly signInAs: (user: DemoUser, path?: string) => Promise<void>
  /** What the browser complained about: the test fails when this is not empty at its end. */
  readonly complaints: string[]
}

interface OfWorker {
  /** A real mail server beside the system. */
  readonly mailServer: MailServer
  /** Shared by the journeys of one worker: they change what the next sees. */
  readonly system: RunningSystem
}

export const test = base.extend<Fixtures, OfWorker>({
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
  complaints: [
    async ({ page, system }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
      page.on('console', (message) => {
        const isRefusedCall = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isRefusedCall) complaints.push(`console: ${message.text()}`)
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(system.httpUrl) && !/^(data|blob):/.test(url)) complaints.push(`fetched ${url}`)
      })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
  signInAs: async ({ page, system }, use) => use((user, path) => signIn(page, user, system, path)),
})

export { expect }
