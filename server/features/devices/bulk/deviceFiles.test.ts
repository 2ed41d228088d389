import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const nordlys = await addCustomer(api.pool, 'Nordlys')
const metro = await addCustomer(api.pool, 'Metro')
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const own = await api.signedIn({ username: 'admin@nordlys.example', functions: [1], customerId: nordlys })

const post = async (path: string, csv: string, token = staff) =>
  (await ask(api, `Device/${path}`, { token, method: 'POST', body: { csv } })).json()
const exported = async (token = staff, customerId = nordlys) =>
  (await ask(api, 'Device/GetDeviceFile', { token, query: { customerId } })).json().csv as string
const devicesOf = async (customerId: number) =>
  (
    await api.pool.query(
      `select name, model_id, address, latitude, longitude, attr_serial, tags, time_zone, search_text is not null as found,
         (select count(*)::int from device_component c where c.device_id = d.id) as parts
       from device d where customer_id = $1 and deleted_at is null order by name`,
      [customerId],
    )
  ).rows

const FILE = `name;model;customer;address;position;serial number;tags;components
Pier 1;Totem SP-4096;Nordlys;Quay 4;"59.9139, 10.7522";SN-1;"Harbour, Night";
Pier 2;22;nordlys;;;SN-2;;"Display_SP_4096 1, UPS 1"`

test('a file adds devices, the same file changes nothing, and an edited one changes just what differs', async () => {
  expect(await post('GetImportPreview', FILE)).toMatchObject({
    ...{ added: 2, changed: 0, unchanged: 0, problems: [], problemCount: 0 },
    rows: [{ line: 2, kind: 'added', name: 'Pier 1', customerName: 'Nordlys' }, { line: 3 }],
  })
  expect(await devicesOf(nordlys)).toEqual([])
  expect(await post('ImportDevices', FILE)).toEqual({ added: 2, changed: 0, unchanged: 0 })
  expect(await devicesOf(nordlys)).toEqual([
    {
      ...{
        name: 'Pier 1',
        model_id: 22,
        address: 'Quay 4',
        latitude: 59.9139,
        longitude: 10.7522,
        attr_serial: 'SN-1',
      },
      ...{ tags: ['Harbour', 'Night'], time_zone: 'Europe/Oslo', found: true, parts: 7 },
    },
    expect.objectContaining({ name: 'Pier 2', time_zone: 'UTC', parts: 2 }),
  ])
  expect(await post('ImportDevices', FILE)).toEqual({ added: 0, changed: 0, unchanged: 2 })
  const edited = FILE.replace('Pier 2', 'Pier two').replace('UPS 1', 'UPS 1, AmbientSensor 1')
  expect((await post('GetImportPreview', edited)).rows[1]).toMatchObject({
    kind: 'changed',
    changes: ['name', 'components'],
  })
  expect(await post('ImportDevices', edited)).toEqual({ added: 0, changed: 1, unchanged: 1 })
  expect((await devicesOf(nordlys))[1]).toMatchObject({ name: 'Pier two', parts: 3 })
  const { rows } = await api.pool.query(`select details from audit_log where call = 'Device/ImportDevices' order by id`)
  expect(rows.map(({ details }) => details)).toEqual([
    'By a file: 2 added, 0 changed, 0 unchanged.',
    'By a file: 0 added, 0 changed, 2 unchanged.',
    'By a file: 0 added, 1 changed, 1 unchanged.',
  ])
})

test('what is exported is taken back without a change, and starts no formula', async () => {
  await post('ImportDevices', 'name;model;customer;address;serial number\n"\'=HYPERLINK(1)";22;Nordlys;"a;""b""";-5')
  const file = await exported()
  expect(file).toContain(`"'=HYPERLINK(1)";"Totem SP-4096"`)
  expect(file).toContain(`"a;""b""";"";"'-5"`)
  expect(await post('ImportDevices', file)).toEqual({ added: 0, changed: 0, unchanged: 3 })
  expect(await exported()).toBe(file)
})

test('a file with any wrong line is refused whole, and each wrong cell is named', async () => {
  const before = await devicesOf(nordlys)
  const wrong = [
    'name;model;customer;serial number;guid',
    'New;22;Nordlys;SN-9;',
    'Other;22;Nowhere;;',
    'Pier 1;22;Metro;;00000000-0000-4000-8000-000000000000',
    'Again;22;Nordlys;SN-9;',
    'Last;Model X;Nordlys;;',
  ].join('\n')
  const { problems } = await post('GetImportPreview', wrong)
  expect(problems).toEqual([
    { line: 3, column: 'customer', reason: 'There is no customer “Nowhere”.' },
    { line: 4, column: 'guid', reason: 'There is no such device. Leave it empty to add one.' },
    { line: 5, column: '', reason: 'It is the same device as in line 2.' },
    { line: 6, column: 'model', reason: expect.stringContaining('“Model X” is no model.') },
  ])
  const refused = await post('ImportDevices', wrong)
  expect([refused.code, refused.message]).toEqual([
    'import_refused',
    'Line 3, customer: There is no customer “Nowhere”. 3 more cells are wrong. Nothing was changed.',
  ])
  expect(await devicesOf(nordlys)).toEqual(before)
})

test('an admin of a customer neither sees nor touches devices of another one', async () => {
  await post('ImportDevices', 'name;model;customer;serial number\nSecret;22;Metro;SN-M')
  expect(await post('GetImportPreview', 'name;model;serial number\nMine;22;SN-M', own)).toMatchObject({
    added: 1,
    changed: 0,
  })
  expect((await post('GetImportPreview', 'name;model;customer\nMine;22;Metro', own)).problems).toMatchObject([
    { reason: 'There is no customer “Metro”.' },
  ])
  expect(await exported(own)).not.toContain('Secret')
  expect((await ask(api, 'Device/GetDeviceFile', { token: own, query: { customerId: metro } })).statusCode).toBe(404)
})

test('a serial number that two devices have names none, and a device is not moved by a file', async () => {
  await api.pool.query(`update device set attr_serial = 'TWIN' where name in ('Pier 1', 'Pier two')`)
  const file = 'name;model;customer;serial number\nPier 1;22;Nordlys;TWIN'
  expect((await post('GetImportPreview', file)).problems).toMatchObject([
    { column: 'serial number', reason: '2 devices have “TWIN”. Name the guid.' },
  ])
  const { rows } = await api.pool.query(`select guid from device where name = 'Secret'`)
  const move = `guid;name;model;customer\n${rows[0].guid};Secret;22;Nordlys`
  expect((await post('GetImportPreview', move)).problems).toMatchObject([
    { column: 'customer', reason: 'It belongs to Metro. Move it on its page Details.' },
  ])
})

test('a thousand rows are previewed and taken, and come back', async () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `Totem ${n};22;Metro;Street ${n};"59.9, 10.${n}";T-${n};"A, B";`)
  const file = ['name;model;customer;address;position;serial number;tags;components', ...lines].join('\r\n')
  const beganAt = performance.now()
  expect(await post('GetImportPreview', file)).toMatchObject({ added: 1000, problemCount: 0 })
  const previewedAt = performance.now()
  expect(await post('ImportDevices', file)).toMatchObject({ added: 1000 })
  const takenAt = performance.now()
  console.info(`1,000 rows: previewed in ${previewedAt - beganAt} ms, taken in ${takenAt - previewedAt} ms`)
  expect(await post('ImportDevices', await exported(staff, metro))).toEqual({ added: 0, changed: 0, unchanged: 1001 })
})
