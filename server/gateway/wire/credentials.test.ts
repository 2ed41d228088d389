import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { insertDevices, insertKey, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { authenticateDevices } from './credentials.ts'

const { database } = await databaseTest()
const pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
afterAll(() => Promise.all([pool.end(), owner.end()]))

const shownBy = ({ guid, key }: Pick<TestDevice, 'guid' | 'key'>) => ({ username: guid, key: Buffer.from(key) })
const keysOf = async ({ id }: TestDevice) =>
  (await owner.query('select first_used_at is not null as is_used from device_credential where device_id = $1', [id]))
    .rows
/** @returns a device that has a newer key beside its first */
async function withNewerKey(): Promise<[TestDevice, string]> {
  const [device] = (await insertDevices(owner, 1)) as [TestDevice]
  const newer = randomBytes(32).toString('base64url')
  await insertKey(owner, device.id, newer)
  return [device, newer]
}

test('of many that sign in at once each is judged by itself', async () => {
  const [one, other, deleted] = (await insertDevices(owner, 3)) as [TestDevice, TestDevice, TestDevice]
  await owner.query('update device set deleted_at = now() where id = $1', [deleted.id])
  const judged = await authenticateDevices(pool, [
    shownBy(one),
    shownBy({ ...one, key: other.key }),
    { username: undefined, key: Buffer.from(one.key) },
    { username: "' or 1=1 --", key: Buffer.from(one.key) },
    shownBy(deleted),
    shownBy(other),
    shownBy(one),
  ])
  expect(judged.map((identity) => identity?.deviceId)).toEqual([
    ...[one.id, undefined, undefined, undefined, undefined, other.id, one.id],
  ])
  // A key's first use is reported only once.
  expect(judged.map((identity) => identity?.isFirstUse)).toEqual([
    ...[true, undefined, undefined, undefined, undefined, true, false],
  ])
})

test('two new keys of one device that are used at once leave the newer one', async () => {
  const [device, newer] = await withNewerKey()
  const judged = await authenticateDevices(pool, [shownBy({ ...device, key: newer }), shownBy(device)])
  expect(judged.map((identity) => identity?.isFirstUse)).toEqual([true, undefined])
  expect(await keysOf(device)).toEqual([{ is_used: true }])
})

test('of two keys of the same moment that are first used at once one stays', async () => {
  const [device, newer] = await withNewerKey()
  await owner.query('update device_credential set issued_at = now() where device_id = $1', [device.id])
  const judged = await authenticateDevices(pool, [shownBy(device), shownBy({ ...device, key: newer })])
  expect(judged.map((identity) => identity?.isFirstUse)).toEqual([true, undefined])
  expect(await keysOf(device)).toEqual([{ is_used: true }])
})

test('first uses of the same devices at two processes wait for each other and lose none', async () => {
  const devices = await insertDevices(owner, 40)
  const shown = devices.map(shownBy)
  const judged = await Promise.all([
    authenticateDevices(pool, shown),
    authenticateDevices(pool, shown.toReversed()),
    authenticateDevices(pool, shown),
  ])
  for (const identities of judged) expect(identities.every((identity) => identity !== undefined)).toBe(true)
  expect(await Promise.all(devices.map(keysOf))).toEqual(devices.map(() => [{ is_used: true }]))
})
