import { ConnectionWatch } from './db/ConnectionWatch.ts'
import { openDatabase } from './db/database.ts'
import { PATIENCE } from './db/patience.ts'
import { openPool } from './db/pool.ts'
import { APPLICATION_ROLE } from './db/roleNames.ts'

const CALL_CONNECTIONS = 12
const GATEWAY_CONNECTIONS = 6
/** One for each lane, and two for what is written beside them. */
const LANE_CONNECTIONS = 4

interface DatabaseUrls {
  readonly ownerUrl: string
  readonly applicationUrl: string
}

export type Pools = ReturnType<typeof openPools>

/**
 * Calls, reports and everything else of devices have connections of their own: none waits for a flood of the others. A
 * device that signs in, comes and goes asks for several things; what it reports must be acknowledged meanwhile.
 */
export function openPools({ ownerUrl, applicationUrl }: DatabaseUrls, patience = PATIENCE) {
  const asApplication = applicationUrl === ownerUrl
  const watch = new ConnectionWatch(applicationUrl, patience)
  const open = (name: string, maximumConnections: number, keepsIdle = false) =>
    openPool(applicationUrl, { maximumConnections, name, asApplication, watch, keepsIdle })
  const calls = open('calls', CALL_CONNECTIONS)
  const gateway = open('gateway', GATEWAY_CONNECTIONS)
  // Marks of the current state live as long as the connection that wrote them (decision 161).
  const lanes = open('lanes', LANE_CONNECTIONS, true)
  return {
    calls,
    gateway,
    lanes,
    db: openDatabase(calls),
    ownerWatch: asApplication ? watch : new ConnectionWatch(ownerUrl, patience),
    connectListener: () =>
      watch.connect({
        application_name: 'wayside listener',
        ...(asApplication ? { options: `-c role=${APPLICATION_ROLE}` } : {}),
      }),
    async end() {
      await Promise.all([calls.end(), gateway.end(), lanes.end()])
    },
  }
}
