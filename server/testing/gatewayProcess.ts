import { openPool } from '#server/db/pool.ts'
import { startGateway } from '#server/gateway/gateway.ts'
import { KEPT_DAYS } from './keptDays.ts'

// A process of its own around the gateway and the write path, for tests that kill it:
// `node gatewayProcess.ts <database url> <port>`.
const [url = '', port = '0'] = process.argv.slice(2)

const gateway = await startGateway({
  pool: openPool(url, { maximumConnections: 6, name: 'test gateway' }),
  bindAddress: '127.0.0.1',
  port: Number(port),
  deviceMessagesPerSecond: 0,
  retentionDays: KEPT_DAYS,
})
process.send?.({ port: gateway.port })
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
