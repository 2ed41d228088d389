import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsPage } from './settingsPage.ts'

test('the page of settings in the guide says what the server reads: npm run config -- --page > docs/guide/run/settings.md', () => {
  const page = new URL('../docs/guide/run/settings.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(settingsPage())
})
