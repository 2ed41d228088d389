import { defineConfig } from 'vitest/config'
import { plainContract } from './tools/plainContract/plugin.ts'

/** What was pressed is known for 65 s, longer than any screen, so that the next file would find it. */
const REMEMBERS_PRESSES = 'console/features/deviceSetup/*.test.tsx'

export default defineConfig({
  test: {
    // Two cores are the machine to be good on; a third worker only makes timing tests lie.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{domain,contract,tools,device,trials}/**/*.test.ts'],
          testTimeout: 90_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/globalSetup.ts'],
          // To read the server anew for each file takes as long as most of its tests: files share what they import,
          // and have databases of their own.
          isolate: false,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        plugins: [plainContract()],
        test: {
          name: 'console',
          environment: 'happy-dom',
          include: ['console/**/*.test.{ts,tsx}'],
          exclude: [REMEMBERS_PRESSES],
          // One browser for all files: `setup.ts` empties it after each test, and names what a test has left in it.
          isolate: false,
          setupFiles: ['console/testing/setup.ts'],
          testTimeout: 90_000,
        },
      },
      {
        extends: true,
        plugins: [plainContract()],
        test: {
          name: 'console-apart',
          environment: 'happy-dom',
          include: [REMEMBERS_PRESSES],
          setupFiles: ['console/testing/setup.ts'],
          testTimeout: 90_000,
        },
      },
    ],
  },
})
