import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { count, oneOf, SEED } from '../../frame/options.ts'
import { describeTrial } from '../../frame/trial.ts'
import { atRest } from '../overview/atRest.ts'
import { compareCalls } from '../overview/compareCalls.ts'
import { makeFleet } from '../overview/fleet.ts'
import { measureLists } from '../overview/lists.ts'
import { measurePins } from '../overview/pinViews.ts'
import { measureConnections } from './connections.ts'
import { darkDaysSummed, insertDarkDays, measureAvailability } from './darkYear.ts'
import { measureHeavy } from './heavyConsole.ts'

export const fleet = describeTrial({
  name: 'fleet',
  proves:
    'A large fleet: every list, map and figure of it, its connections, and that nobody who asks much slows others.',
  options: {
    devices: count(100_000, 'devices in the database'),
    alerts: count(1_000_000, 'alerts of a year'),
    days: count(365, 'days of which dark minutes are kept'),
    connections: count(10_000, 'connections of devices, as far as the machine has files'),
    addresses: count(4, 'addresses from which devices come'),
    rounds: count(5, 'rounds, quiet and beside a heavy console by turns'),
    seconds: count(5, 'seconds each'),
    seed: SEED,
    only: oneOf(['calls', 'availability', 'heavy', 'connections'], 'one part'),
  },
  async run(run) {
    const { only } = run.options
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}`)
    const isRequested = (part: string) => only === '' || only === part
    if (isRequested('calls') || isRequested('availability')) {
      const database = await run.database()
      const db = new pg.Client({ connectionString: database.ownerUrl })
      await db.connect()
      await db.query('select setseed($1)', [run.chance('fleet')])
      const token = () => randomBytes(32).toString('base64url')
      const { staffToken, customerToken, customerId } = await makeFleet(db, run.options, [token(), token()])
      const asked = [
        { who: 'staff', token: staffToken, customerId: null },
        { who: 'a customer user', token: customerToken, customerId },
      ]
      if (isRequested('availability')) await insertDarkDays(db, run.options.days)
      const { httpUrl, worker } = await run.product(database)
      if (isRequested('calls')) {
        await atRest(db, worker)
        for (const { who, ...one } of asked) await compareCalls(run, who, { db, httpUrl, ...one })
        for (const { who, ...one } of asked) await measureLists(run, who, { httpUrl, ...one })
        await measurePins(httpUrl, staffToken)
      }
      if (isRequested('availability')) {
        console.log(`\nAll dark days were summed ${(await darkDaysSummed(db)).toFixed(0)} s after the start`)
        await measureAvailability(run, asked, httpUrl)
      }
      await db.end()
      await run.endWorkers()
    }
    if (isRequested('connections')) await measureConnections(run, run.options.connections, run.options.addresses)
    if (isRequested('heavy')) await measureHeavy(run, run.options)
  },
})
