import type { Page } from '@playwright/test'
import { type MailServer, startMailServer } from '#server/testing/mailServer.ts'
import { test as base, expect } from './journey.ts'
import { startSystem } from './system.ts'

const DEMO_DEVICES = 3

/** The product with a real mail server beside it. */
export const test = base.extend<object, { mailServer: MailServer }>({
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
      const system = await startSystem(DEMO_DEVICES, { WAYSIDE_SMTP_URL: mailServer.url })
      await use(system)
      await system.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** The link of a mail, once it has come. */
export async function linkIn(mailServer: MailServer, to: string, page: string): Promise<string> {
  const link = () => {
    const mail = mailServer.mails.findLast((one) => one.to.includes(to))
    return new RegExp(`https?://\\S+/${page}#token=[\\w-]{43}`).exec(mail?.readable ?? '')?.[0] ?? ''
  }
  await expect.poll(link, { timeout: 30_000 }).toContain('#token=')
  return link()
}

/** Fills in the page of such a link. */
export async function setPassword(page: Page, password: string) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}
