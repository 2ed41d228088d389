import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { count, oneOf, SEED } from '../../frame/options.ts'
import { describeTrial } from '../../frame/trial.ts'
import { atRest } from './atRest.ts'
import { compareCalls } from './compareCalls.ts'
import { makeFleet } from './fleet.ts'
import { measureLists } from './lists.ts'
import { measurePins } from './pinViews.ts'
import { measureFile } from './wholeFile.ts'

export const overview = describeTrial({
  name: 'overview',
  proves: 'Every call of the Overview, alone and together as a browser makes them, against counting by hand.',
  options: {
    devices: count(100_000, 'devices'),
    alerts: count(1_000_000, 'alerts of a year'),
    seed: SEED,
    only: oneOf(['calls', 'lists', 'pins', 'file'], 'one part'),
  },
  async run(run) {
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}`)
    const token = () => randomBytes(32).toString('base64url')
    await db.query('select setseed($1)', [run.chance('fleet')])
    const fleet = await makeFleet(db, run.options, [token(), token()])
    const { httpUrl, worker } = await run.product(database)
    await atRest(db, worker)
    const { staffToken, customerToken, customerId } = fleet
    const parts = {
      calls: async () => {
        await compareCalls(run, 'staff', { db, httpUrl, token: staffToken, customerId: null })
        await compareCalls(run, 'a customer user', { db, httpUrl, token: customerToken, customerId })
      },
      lists: async () => {
        await measureLists(run, 'staff', { httpUrl, token: staffToken })
        await measureLists(run, 'a customer user', { httpUrl, token: customerToken })
      },
      pins: () => measurePins(httpUrl, staffToken),
      file: () => measureFile(run, { worker, httpUrl, token: staffToken }),
    }
    for (const [name, measure] of Object.entries(parts)) {
      if (run.options.only === '' || run.options.only === name) await measure()
    }
    await db.end()
  },
})
