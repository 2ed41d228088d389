import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
const IN_ORDER = [
  ...['Ålesund', 'Äpfel', 'Apfel 2', 'Çanakkale', 'Doha', 'éclair', 'Łódź', 'Oslo', 'Øystese', 'Totem 1', 'totem 2'],
  ...['Totem 10', 'Totem 10 b 9', 'Totem 10 b 10', 'Totem 99999999999999999999', 'zebra', 'Zürich'],
]

test('devices stand by name as people count and read, in pages that leave none out', async () => {
  for (const name of IN_ORDER.toSorted()) await addDevice(api.pool, { name, customerId })
  const names = async (query: Record<string, string | number>) => {
    const read: string[] = []
    for (let next: string | undefined; ; ) {
      const asked = { sort: 'name', ...query, ...(next ? { next } : {}) }
      const page = (await ask(api, 'Device/GetDeviceList', { token, query: asked })).json()
      read.push(...page.rows.map(({ name }: { name: string }) => name))
      if (page.next === null) return read
      next = page.next
    }
  }
  expect(await names({ pageSize: 100 })).toEqual(IN_ORDER)
  expect(await names({ pageSize: 4 })).toEqual(IN_ORDER)
  expect(await names({ pageSize: 5, sort: 'alerts' })).toEqual(IN_ORDER)
})

test('a renamed device stands where its new name belongs', async () => {
  await api.pool.query(`update device set name = 'Totem 3' where name = 'Totem 10'`)
  const { rows } = await api.pool.query(`select name_order from device where name = 'Totem 3'`)
  expect(rows).toEqual([{ name_order: 'totem 00000000000000000003' }])
})

test('addresses stand in the same order', async () => {
  const addresses = ['Ängsvägen 1', 'Storgata 2', 'Storgata 10']
  for (const [index, address] of addresses.entries()) {
    await addDevice(api.pool, { name: `Placed ${3 - index}`, customerId, address })
  }
  const asked = { token, query: { sort: 'address', descending: 'true', pageSize: 2 } }
  const { rows, next } = (await ask(api, 'Device/GetDeviceList', asked)).json()
  expect(rows.map(({ address }: { address: string }) => address)).toEqual(['Storgata 10', 'Storgata 2'])
  const rest = await ask(api, 'Device/GetDeviceList', { token, query: { ...asked.query, next } })
  expect(rest.json().rows[0].address).toBe('Ängsvägen 1')
})

test('users, roles and customers stand in the same order, in lists and in choices', async () => {
  const names = ['apfel 2', 'Äpfel 10', 'Bahn', 'Öl', 'Zoo']
  for (const name of names.toReversed()) {
    await addCustomer(api.pool, name)
    await addUser(api.pool, { username: name, functions: [] })
    await api.pool.query('update app_role set name = $1 where name = $2', [name, `role of ${name}`])
  }
  const read = async (path: string, query: Record<string, string | number> = {}) => {
    const answer = (await ask(api, path, { token, query })).json()
    const rows: { name?: string; username?: string }[] = Array.isArray(answer) ? answer : answer.rows
    return rows.map(({ name, username }) => name ?? username).filter((name) => names.includes(name ?? ''))
  }
  expect(await read('Customer/GetCustomerList')).toEqual(names)
  expect(await read('Customer/GetCustomerRecordList')).toEqual(names)
  expect(await read('AppUser/GetAppUserList', { sort: 'username', pageSize: 100 })).toEqual(names)
  expect(await read('AppRole/GetAppRoleList')).toEqual(names)
})

test.each([
  ['app_user_by_name_order', 'app_user', 'name_order(username)'],
  ['device_by_address_order', 'device', 'name_order(address), name_order'],
])('a page of its order is read off the index %s', async (index, table, order) => {
  const client = await api.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    await client.query('set local enable_sort = off')
    const { rows } = await client.query(
      `explain select id from ${table} where deleted_at is null order by ${order}, id limit 10`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain(`Index Scan using ${index}`)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
