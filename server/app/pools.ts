import { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import { PATIENCE } from '../db/connect/patience.ts'
import { openPool } from '../db/connect/pool.ts'
import { APPLICATION_ROLE } from '../db/connect/roleNames.ts'
import { openDatabase } from '../db/database.ts'
import { LongReadsThread } from '../telemetry/longReads/LongReadsThread.ts'

const CALL_CONNECTIONS = 12
/** A new connection has to parse and plan every statement again: the next page took four times as long. */
const CALLS_KEPT_MS = 60_000
const FOR_EVER = 0
const GATEWAY_CONNECTIONS = 6
const LANES = 2
const CONNECTIONS_BESIDE_LANES = 2

interface DatabaseUrls {
  readonly ownerUrl: string
  readonly applicationUrl: string
}

export type Pools = ReturnType<typeof openPools>

/**
 * Calls, reports and other traffic of devices have separate connections, so that none waits for a flood of the others.
 * A connecting device needs several queries, and reports must be acknowledged meanwhile.
 */
export function openPools({ ownerUrl, applicationUrl }: DatabaseUrls, patience = PATIENCE) {
  const asApplication = applicationUrl === ownerUrl
  const watch = new ConnectionWatch(applicationUrl, patience)
  const open = (name: string, maximumConnections: number, keptIdleMs?: number) =>
    openPool(applicationUrl, { maximumConnections, name, asApplication, watch, keptIdleMs })
  const calls = open('calls', CALL_CONNECTIONS, CALLS_KEPT_MS)
  const gateway = open('gateway', GATEWAY_CONNECTIONS)
  const reports = {
    // Dirty ranges of the current state live as long as the connection that wrote them (decision 161).
    lanes: Array.from({ length: LANES }, () => open('lane', 1, FOR_EVER)),
    beside: open('beside lanes', CONNECTIONS_BESIDE_LANES),
  }
  const longReads = new LongReadsThread({ url: applicationUrl, asApplication })
  return {
    calls,
    gateway,
    reports,
    longReads,
    db: openDatabase(calls),
    ownerWatch: asApplication ? watch : new ConnectionWatch(ownerUrl, patience),
    connectListener: () =>
      watch.connect({
        application_name: 'wayside listener',
        ...(asApplication ? { options: `-c role=${APPLICATION_ROLE}` } : {}),
      }),
    async end() {
      await Promise.all([calls, gateway, reports.beside, longReads, ...reports.lanes].map((pool) => pool.end()))
    },
  }
}
