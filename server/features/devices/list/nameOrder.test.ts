import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

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
