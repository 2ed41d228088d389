import { defineConfig } from 'vitest/config'
import { plainContract } from './tools/plainContract/plugin.ts'

/** What was pressed is known for 65 s, longer than any screen, so that the next file would find it. */
const REMEMBERS_PRESSES = 'console/features/devices/setup/*.test.tsx'

/** Two cores are the machine to be good on. */
const WORKERS = 2
/** For tests that wait for PostgreSQL, devices and clocks more than they work. */
const WORKERS_THAT_WAIT = 4

export default defineConfig({
  test: {
    // A second, as is the default, is nothing on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          maxWorkers: WORKERS_THAT_WAIT,
          // Files share what they import; what one changes for the process it sets back.
          isolate: false,
          include: ['{domain,contract,tools,device,trials}/**/*.test.ts'],
          testTimeout: 90_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          maxWorkers: WORKERS_THAT_WAIT,
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/database/globalSetup.ts'],
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
          maxWorkers: WORKERS,
          // Kinds with other numbers of workers come one after the other.
          sequence: { groupOrder: 1 },
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
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
          include: [REMEMBERS_PRESSES],
          setupFiles: ['console/testing/setup.ts'],
          testTimeout: 90_000,
        },
      },
    ],
  },
})
