import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run pictures`: what the pages in docs show, taken from the demo. */
export default defineConfig({
  ...journeys,
  testMatch: 'pictures/screens.ts',
  outputDir: 'test-results/pictures',
  workers: 1,
  // One screen that cannot be shown says enough.
  maxFailures: 1,
})
