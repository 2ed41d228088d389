import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/db/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/freshDatabase.ts'
import { insertDevices } from '#server/testing/gatewayFixture.ts'
import { killAroundPowerActions } from '#server/testing/powerKills.ts'

/** More of them: `npm run bench -- server-kills --kills 500`. */
const KILLS = 12
const DEVICES = 15

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
}, 120_000)
afterAll(() => database.drop())

test(`over ${KILLS} kills of the server around power actions none is done twice or late, or pending for ever`, async () => {
  const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  const devices = await insertDevices(owner, DEVICES)
  const token = await openSession(owner, await addUser(owner, { username: 'm@staff.example', functions: [2] }))
  const { random } = Math
  const tally = await killAroundPowerActions({ databaseUrls: database, owner, devices, token, kills: KILLS, random })
  await owner.end()
  console.log(`${KILLS} kills: ${JSON.stringify(tally)}`)
  // On a busy machine many a call finds the device offline; without any that was carried out nothing is shown.
  expect(tally.executed).toBeGreaterThan(KILLS / 3)
  expect(tally).toMatchObject({ twice: 0, late: 0, pending: 0, invented: 0, denied: 0, withoutAudit: 0 })
}, 600_000)
