import { defineConfig } from '@playwright/test'
import { CAMERA_FILE } from './e2e/support/camera.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  globalSetup: './e2e/support/globalSetup.ts',
  outputDir: 'test-results/browser',
  // Each has a server, a fleet and a browser of its own, and takes one file after the other.
  workers: 2,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 180_000,
  expect: { timeout: 20_000, toHaveScreenshot: { maxDiffPixelRatio: 0.01 } },
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Prague',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // To record each page takes as long as half of what is done on it.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${CAMERA_FILE}`,
      ],
    },
  },
})
