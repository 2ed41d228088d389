import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'

export const CONSOLE_FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url))

/** Opens a browser for benches of the built console. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CONSOLE_FOLDER)) throw new Error('The console is not built yet: npm run build.')
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  console.log(`${availableParallelism()} cores, Chromium ${browser.version()} without a graphics card`)
  return browser
}

/** Stores a session as if somebody had signed in before. */
export async function beSignedIn(page: Page, accessToken: string): Promise<void> {
  await page.addInitScript((token) => {
    const rights = { roleFunctions: [1, 2, 5], isAdmin: true, isDeviceManager: true, isAnalyticsUser: true }
    const names = { id: 1, username: 'bench@example', email: '', firstName: '', lastName: '', roleName: '' }
    localStorage.setItem('wayside.session', JSON.stringify({ accessToken: token, user: { ...rights, ...names } }))
  }, accessToken)
}
