import { expect, type Page } from '@playwright/test'
import type { MailServer } from '#testing/mailServer.ts'

export async function linkIn(mailServer: MailServer, to: string, page: string): Promise<string> {
  const link = () => {
    const mail = mailServer.mails.findLast((one) => one.to.includes(to))
    return new RegExp(`https?://\\S+/${page}#token=[\\w-]{43}`).exec(mail?.readable ?? '')?.[0] ?? ''
  }
  await expect.poll(link, { timeout: 30_000 }).toContain('#token=')
  return link()
}

export async function setPassword(page: Page, password: string) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}
