import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { type RunningServer, startServer } from '#server/main.ts'
import { answerMessages } from '../worker.ts'

/** The whole product in a process of its own; its devices may send as much as they like. */

interface Question {
  readonly start: { readonly ownerUrl: string; readonly applicationUrl: string }
}

let server: RunningServer | undefined

answerMessages<Question>(
  async ({ start }) => {
    server = await startServer({
      config: { ...readConfig(), bindAddress: '127.0.0.1', httpPort: 0, mqttPort: 0, deviceMessagesPerSecond: 0 },
      databaseUrls: start,
      consoleFolder: '/nowhere',
      log: pino({ level: 'error' }),
      missing: async () => undefined,
      internalUsers: [],
    })
    return server.localAddresses
  },
  async () => server?.stop(),
)
