import { openPool } from '#server/db/pool.ts'
import { type Gateway, startGateway } from '#server/gateway/gateway.ts'
import { answerMessages, settledMemoryBytes } from '../../frame/answerMessages.ts'

/** The product's gateway and write path in a process of their own. */

type Question = { readonly start: string; readonly asApplication: boolean } | { readonly tell: 'counters' | 'memory' }

let gateway: Gateway | undefined

answerMessages<Question>(
  async (question) => {
    if ('start' in question) {
      const { start, asApplication } = question
      const pool = openPool(start, { maximumConnections: 8, name: 'bench', asApplication })
      gateway = await startGateway({
        pool,
        bindAddress: '127.0.0.1',
        port: 0,
        deviceMessagesPerSecond: 0,
        log: (sentence, detail) => console.error(sentence, detail),
      })
      return { port: gateway.port }
    }
    if (question.tell === 'memory') return { bytes: settledMemoryBytes() }
    return { ...gateway?.counters.telemetry }
  },
  async () => gateway?.stop(),
)
