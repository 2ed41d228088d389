import { beforeEach, expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import { recordClientProgress } from '#server/rollouts/clientProgress.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const harbour = await addCustomer(api.pool, 'Harbour')
const airport = await addCustomer(api.pool, 'Airport')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const pilot = await api.signedIn({ username: 'pilot@airport.example', functions: [2], customerId: airport })

const ids = new Map<string, DeviceId>()
beforeEach(async () => {
  await api.pool.query('update device set deleted_at = now()')
  for (const [name, customerId, version] of [
    ['Old', harbour, '1.9.0'],
    ['Older', harbour, '0.12.3'],
    ['New', harbour, '1.10.0'],
    ['Theirs', airport, '1.9.0'],
    ['Odd', airport, '1.10.0-rc'],
    ['Silent', harbour, null],
    ['Never seen', harbour, undefined],
  ] as const) {
    const { id } = await addDevice(api.pool, { name, customerId })
    ids.set(name, id)
    if (version === undefined) continue
    await api.pool.query(
      `update device_now set newest_at = now(), client_version = $2,
         client_version_at = case when $2::text is not null then now() - interval '1 minute' end where device_id = $1`,
      [id, version],
    )
  }
})

const asked = async (path: string, query: Record<string, string | number>, token = staff) =>
  (await ask(api, path, { token, query })).json()

async function named(query: Record<string, string | number>, token = staff): Promise<string[]> {
  const answer = await asked('Device/GetDeviceList', { ...query, rowNum: 1, pageSize: 100 }, token)
  const { rows, total } = answer as { rows: Device[]; total: number }
  expect(total).toBe(rows.length)
  return rows.map(({ name }) => name)
}

test('devices are narrowed by the version of their client: one, what is older, or unknown; versions compare as numbers', async () => {
  expect(await named({ clientVersion: '1.9.0' })).toEqual(['Old', 'Theirs'])
  expect(await named({ clientVersion: '1.9.0' }, pilot)).toEqual(['Theirs'])
  expect(await named({ clientVersion: '1.9.0', deviceName: 'ol' })).toEqual(['Old'])
  expect(await named({ clientVersion: '1.10.0-rc' })).toEqual(['Odd'])
  expect(await named({ clientVersion: '7.7.7' })).toEqual([])
  expect(await named({ clientVersion: 'before-1.10.0' })).toEqual(['Old', 'Older', 'Theirs'])
  expect(await named({ clientVersion: 'before-1.9.0' })).toEqual(['Older'])
  expect(await named({ clientVersion: 'before-0.0.1' })).toEqual([])
  expect(await named({ clientVersion: 'unknown' })).toEqual(['Never seen', 'Silent'])
  expect(await asked('Device/GetDeviceList', { clientVersion: 'before-new' })).toMatchObject({
    message: 'clientVersion is not valid: say 2.4.1, before-2.4.1 or unknown',
  })
})

test('pins of the map are narrowed alike', async () => {
  await api.pool.query('update device set latitude = 50, longitude = 7')
  const { ids: found } = (await asked('Device/GetDevicePins', { clientVersion: 'before-1.9.0' })) as { ids: number[] }
  expect(found).toEqual([ids.get('Older')])
})

test('what a client says while it is updated counts at once, until a report says otherwise', async () => {
  const progress = { updateId: crypto.randomUUID(), version: '1.10.0', step: 'done' } as const
  const connection = await api.pool.connect()
  await recordClientProgress(connection, ids.get('Old') as DeviceId, progress as never)
  await recordClientProgress(connection, ids.get('Never seen') as DeviceId, progress as never)
  connection.release()
  expect(await named({ clientVersion: '1.10.0' })).toEqual(['Never seen', 'New', 'Old'])
  expect(await named({ clientVersion: '1.9.0' })).toEqual(['Theirs'])
  expect(await named({ clientVersion: 'unknown' })).toEqual(['Silent'])
})

test('the versions that run are told the newest first, with how many devices run each, within the scope', async () => {
  expect(await asked('Device/GetClientVersionList', {})).toEqual([
    { version: '1.10.0', devices: 1 },
    { version: '1.9.0', devices: 2 },
    { version: '0.12.3', devices: 1 },
    { version: '1.10.0-rc', devices: 1 },
    { version: null, devices: 2 },
  ])
  expect(await asked('Device/GetClientVersionList', {}, pilot)).toEqual([
    { version: '1.9.0', devices: 1 },
    { version: '1.10.0-rc', devices: 1 },
  ])
  expect(await asked('Device/GetClientVersionList', { customerId: airport })).toHaveLength(2)
})
