import { type RunningServer, startServer } from '#server/app/server.ts'
import { createLog } from '#server/programs/log.ts'
import { readConfig } from '#server/settings/config.ts'
import { answerMessages, liveMemoryBytes, processorMs, settledMemoryBytes } from './answerMessages.ts'

/** Runs the whole product in a process of its own. */

type DatabaseUrls = { readonly ownerUrl: string; readonly applicationUrl: string }

type Question =
  | { readonly start: DatabaseUrls; readonly consoleFolder?: string; readonly areDevicesUnlimited?: true }
  | { readonly tell: 'memory' | 'peak' | 'faults' | 'processor' }

const SAMPLE_EVERY_MS = 20

let server: RunningServer | undefined
let peakBytes = 0
/** Counts lines of the log that somebody should read. */
let faults = 0

function noteFault(line: string): void {
  faults++
  process.stdout.write(line)
}

answerMessages<Question>(
  async (question) => {
    if ('start' in question) {
      server = await startServer({
        config: {
          ...readConfig(),
          secretsKey: 'a1'.repeat(32),
          bindAddress: '127.0.0.1',
          httpPort: 0,
          mqttPort: 0,
          ...(question.areDevicesUnlimited && { deviceMessagesPerSecond: 0 }),
        },
        databaseUrls: question.start,
        consoleFolder: question.consoleFolder ?? '/nowhere',
        log: createLog({ level: 'error', write: noteFault }).log,
        missing: async () => undefined,
        internalUsers: [],
      })
      setInterval(() => {
        peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
      }, SAMPLE_EVERY_MS).unref()
      return server.localAddresses
    }
    if (question.tell === 'faults') return { faults }
    if (question.tell === 'processor') return { ms: processorMs() }
    if (question.tell === 'peak') return { bytes: peakBytes }
    const bytes = settledMemoryBytes()
    peakBytes = bytes
    return { bytes, liveBytes: liveMemoryBytes() }
  },
  async () => server?.stop(),
)
