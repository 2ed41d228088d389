import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { watch } from '#contract/http/live.ts'
import { CALLS } from '#contract/http/table.ts'
import { LongReadsThread } from '#server/telemetry/longReads/LongReadsThread.ts'
import type { Given } from '../features/feature.ts'
import { CommandPath } from '../gateway/commands/CommandPath.ts'
import { readConfig } from '../settings/config.ts'
import { testCipher } from '../testing/database/testCipher.ts'
import { joinFeatures } from './features.ts'

const nothing = () => undefined
const unreached = () => Promise.reject(new Error('There is no database here.'))

/** Joins features on a pool that never connects: they use it only when they are called. */
function join() {
  const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' })
  const given: Given = {
    pool,
    longReads: new LongReadsThread({ url: 'postgres://127.0.0.1:1/none' }),
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    config: readConfig({}),
    log: { info: nothing, warn: nothing, error: nothing },
    clock: { now: () => new Date(), deleting: (job) => job },
    live: { noteChanged: nothing, noteAlerts: nothing },
    commands: new CommandPath({ pool, connectListener: unreached, answerSeconds: 10, onMoved: nothing, log: nothing }),
    callOutside: unreached,
    cipher: testCipher,
    notifyOutside: unreached,
    readSystemFigures: unreached,
    closeRevoked: nothing,
    addresses: () => ({ mqttUrl: 'mqtt://here', httpUrl: 'http://here' }),
  }
  return joinFeatures(given)
}

test('every call of the contract has one route, in one feature', () => {
  const paths = [...join().routes, { call: watch }].map(({ call }) => call.path)
  expect(paths.sort()).toEqual(CALLS.map(({ path }) => path).sort())
})

test('every job of the features has a name of its own', () => {
  const names = join().jobs.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(5)
  expect(new Set(names).size).toBe(names.length)
})
