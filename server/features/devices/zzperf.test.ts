import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import { addCustomer, addUser, ask, openSession, startApi } from '#server/testing/callers.ts'

test('perf', async () => {
  const api = await startApi()
  const { pool } = api
  const c = [await addCustomer(pool, 'A'), await addCustomer(pool, 'B'), await addCustomer(pool, 'C')]
  const alive = randomUUID()
  await pool.query(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour')`, [alive])
  await pool.query(`insert into device (guid, name, address, status_id, model_id, customer_id, attr_serial, iot_device_id)
    select gen_random_uuid(), 'Town ' || md5(n::text), 'Street ' || (n*7919)%100003, case when n%10 < 8 then 2 else 1+n%6 end, (array[1,2,8,15,16,22])[1+n%6], ($1::int[])[1+n%3], 'WS' || n, '' from generate_series(1,100000) n`, [c])
  await pool.query(`insert into device_connection (device_id, connection_id, process_id) select id, gen_random_uuid(), $1 from device where id % 10 < 9`, [alive])
  await pool.query(`insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields) select id, t, 1, now(), now(), now(), '{}' from device, generate_series(3,5) t`)
  const token = await openSession(pool, await addUser(pool, { username: 'a', functions: [1] }))
  const ct = await openSession(pool, await addUser(pool, { username: 'b', functions: [1], customerId: c[1] as never }))
  for (const round of [1, 2])
  for (const [by, q] of [[token, {}], [token, { sort: 'name', descending: true }], [token, { sort: 'address' }], [token, { sort: 'model' }], [token, { sort: 'status' }], [token, { sort: 'connected' }], [token, { rowNum: 9900 }], [token, { filter: 'activeConnected' }], [token, { connStatusId: 0 }], [token, { deviceName: 'abc12' }], [token, { deviceName: 'zzzz' }], [token, { attrSerial: '9999' }], [token, { modelId: 16, statusId: 5 }], [ct, {}], [ct, { sort: 'status', filter: 'activeConnected' }]] as [string, Record<string, string>][]) {
    const t = performance.now()
    const a = await ask(api, 'Device/GetDeviceList', { token: by, query: { pageSize: 100, ...q } })
    const ms = Math.round(performance.now() - t)
    if (round === 2) console.log(JSON.stringify(q), by === ct ? 'customer' : '', a.statusCode, ms, 'ms', a.json().total, a.json().rows.length)
  }
  const t = performance.now()
  const all = await ask(api, 'Device/GetDeviceList', { token })
  console.log('all', Math.round(performance.now() - t), all.body.length)
  await api.stop()
}, 200000)
