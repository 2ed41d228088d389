import { openPools } from '#server/app/pools.ts'
import { type Gateway, startGateway } from '#server/gateway/gateway.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { answerMessages, processorMs, settledMemoryBytes } from '../../frame/answerMessages.ts'

/** Runs the product's gateway and write path, on its connections, in a process of their own. */

type Question =
  | { readonly start: Parameters<typeof openPools>[0] }
  | { readonly tell: 'counters' | 'memory' | 'processor' }

let gateway: Gateway | undefined

answerMessages<Question>(
  async (question) => {
    if ('start' in question) {
      const pools = openPools(question.start)
      gateway = await startGateway({
        pool: pools.gateway,
        reportPools: pools.reports,
        cipher: testCipher,
        bindAddress: '127.0.0.1',
        port: 0,
        deviceMessagesPerSecond: 0,
        log: (sentence, detail) => console.error(sentence, detail),
      })
      return { port: gateway.port }
    }
    if (question.tell === 'memory') return { bytes: settledMemoryBytes() }
    if (question.tell === 'processor') return { ms: processorMs() }
    return { ...gateway?.counters.telemetry }
  },
  async () => gateway?.stop(),
)
