import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const harbour = await addCustomer(api.pool, 'Harbour')
const airport = await addCustomer(api.pool, 'Airport')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1, 2] })
const pilot = await api.signedIn({ username: 'pilot@airport.example', functions: [2], customerId: airport })

let pier: Device
let gate: Device
beforeEach(async () => {
  await api.pool.query('update device set deleted_at = now()')
  pier = await create('Pier 7', harbour)
  gate = await create('Gate 12', airport)
})

async function create(name: string, customerId: CustomerId): Promise<Device> {
  const body = { name, customerId, modelId: 15 as DeviceModelId }
  return (
    await ask(api, 'Device/CreateDevice', {
      token: staff,
      method: 'POST',
      body,
      headers: { 'idempotency-key': randomUUID() },
    })
  ).json() as Device
}

async function post(path: string, body: object, token = staff) {
  const answer = await ask(api, path, { token, method: 'POST', body })
  return { status: answer.statusCode, ...(answer.json() as { tags?: string[]; message?: string }) }
}
const setTags = (device: Device, tags: readonly string[], more = {}) =>
  post('Device/SetDeviceDetails', { id: device.id, tags, ...more })
const change = (device: Device, body: object, token = staff) =>
  post('Device/ChangeDeviceTags', { id: device.id, ...body }, token)
const asked = async <Answer>(path: string, query: Record<string, string | number>, token = staff) =>
  (await ask(api, path, { token, query })).json() as Answer

async function named(query: Record<string, string | number>, token = staff): Promise<string[]> {
  const { rows, total } = await asked<{ rows: Device[]; total: number }>(
    'Device/GetDeviceList',
    { ...query, rowNum: 1, pageSize: 100 },
    token,
  )
  expect(total).toBe(rows.length)
  return rows.map(({ name }) => name)
}
const audited = async ({ id }: Device) =>
  (
    await api.pool.query(
      `select outcome, before, after from audit_log where entity_type_id = 1 and entity_id = $1 order by id desc limit 1`,
      [id],
    )
  ).rows[0]

test('tags are set as a whole with the details, tidied and each once, and the audit row has both', async () => {
  expect((await setTags(pier, [' Messe', 'MESSE', 'to  rewire'])).tags).toEqual(['Messe', 'to rewire'])
  expect(await audited(pier)).toEqual({
    outcome: 'done',
    before: { tags: [] },
    after: { tags: ['Messe', 'to rewire'] },
  })
  expect((await post('Device/SetDeviceDetails', { id: pier.id, name: 'Pier 8' })).tags).toEqual(['Messe', 'to rewire'])
  expect((await setTags(pier, [])).tags).toEqual([])
})

test('tags are given and taken away beside the others', async () => {
  await setTags(pier, ['Messe', 'rewire'])
  expect((await change(pier, { add: ['messe', 'Spring'], remove: ['REWIRE'] })).tags).toEqual(['Messe', 'Spring'])
  expect(await audited(pier)).toMatchObject({
    before: { tags: ['Messe', 'rewire'] },
    after: { tags: ['Messe', 'Spring'] },
  })
})

test('what is no tag and what would be too many is refused with a sentence, and nothing of it is done', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  expect((await setTags(pier, twenty)).status).toBe(200)
  const refusals = [
    await change(pier, { add: ['one more'] }),
    await setTags(pier, [...twenty, 'one more'], { name: 'Other' }),
    await change(pier, { remove: ['tag 1'], add: ['one, two'] }),
    await setTags(pier, ['a'.repeat(41)]),
    await setTags(pier, Array(41).fill('same')),
  ]
  expect(refusals.map(({ status, message }) => [status, message])).toEqual([
    [400, 'tags would be 21: a device has at most 20'],
    [400, 'tags would be 21: a device has at most 20'],
    [400, 'add.0 is not valid: a tag has 1 to 40 characters and no comma'],
    [400, 'tags.0 is not valid: a tag has 1 to 40 characters and no comma'],
    [400, 'tags is not valid'],
  ])
  const kept = await asked<Device>('Device/GetDevice', { guid: pier.guid })
  expect([kept.name, kept.tags]).toEqual(['Pier 7', twenty])
})

test('lists and pins are narrowed to devices that have all of the tags, whatever the case, and found by their words', async () => {
  await setTags(pier, ['Köln', 'rewire'])
  await setTags(gate, ['KÖLN'])
  expect(await named({ tags: 'köln' })).toEqual(['Gate 12', 'Pier 7'])
  expect(await named({ tags: 'Rewire,KÖLN' })).toEqual(['Pier 7'])
  expect(await named({ tags: 'kol' })).toEqual([])
  expect(await named({ tags: 'köln', deviceName: 'Gate' })).toEqual(['Gate 12'])
  expect(await named({ tags: 'köln' }, pilot)).toEqual(['Gate 12'])
  expect(await named({ search: 'koeln rewi' })).toEqual(['Pier 7'])
  await api.pool.query('update device set latitude = 50, longitude = 7')
  const pins = await asked<{ ids: number[] }>('Device/GetDevicePins', { tags: 'rewire' })
  expect(pins.ids).toEqual([pier.id])
  await change(pier, { remove: ['rewire'] })
  expect(await named({ search: 'rewire' })).toEqual([])
})

test('the tags in use are told by how many devices have them, within the scope', async () => {
  await setTags(pier, ['Rewire', 'Köln West'])
  await setTags(gate, ['rewire', 'Only theirs'])
  const used = (query = {}, token = staff) =>
    asked<{ tag: string; devices: number }[]>('Device/GetDeviceTagList', query, token)
  expect((await used()).map(({ tag, devices }) => [tag.toLowerCase(), devices])).toEqual([
    ['rewire', 2],
    ['köln west', 1],
    ['only theirs', 1],
  ])
  expect(await used({}, pilot)).toEqual([
    { tag: 'Only theirs', devices: 1 },
    { tag: 'rewire', devices: 1 },
  ])
  expect((await used({ customerId: harbour })).map(({ tag }) => tag)).toEqual(['Köln West', 'Rewire'])
  expect(await used({ search: 'koln we' })).toEqual([{ tag: 'Köln West', devices: 1 }])
  expect(await used({ search: 'theirs' }, pilot)).toEqual([{ tag: 'Only theirs', devices: 1 }])
})

test('a device that goes to another customer leaves its tags behind, and takes those that are given with it', async () => {
  await setTags(pier, ['Our words'])
  const moved = await post('Device/SetDeviceDetails', { id: pier.id, customerId: airport })
  expect(moved.tags).toEqual([])
  expect(await audited(pier)).toMatchObject({
    before: { tags: ['Our words'], customerId: harbour },
    after: { tags: [], customerId: airport },
  })
  expect(await named({ search: 'words' }, pilot)).toEqual([])
  await setTags(gate, ['Theirs'])
  expect((await setTags(gate, ['Fresh'], { customerId: harbour })).tags).toEqual(['Fresh'])
  // The record is sent back with the tags it had.
  expect((await setTags(gate, ['Fresh'], { customerId: airport })).tags).toEqual([])
})

test('somebody of the customer changes the tags of their devices, and finds no other', async () => {
  expect((await change(gate, { add: ['ours'] }, pilot)).tags).toEqual(['ours'])
  expect((await change(pier, { add: ['mine'] }, pilot)).status).toBe(404)
  const looker = await api.signedIn({ username: 'looker@airport.example', functions: [5], customerId: airport })
  expect((await change(gate, { add: ['no'] }, looker)).status).toBe(403)
})

test('a tag that few devices have and one that many have lead page by page to each of them once, in the order of the list', async () => {
  await api.pool.query(
    `insert into device (guid, name, customer_id, model_id, iot_device_id, tags, tag_keys)
     select gen_random_uuid(), 'Post ' || n, $1, 15, '', given, given
     from generate_series(1, 600) n, lateral (select array_remove(array[case when n % 3 < 2 then 'many' end,
       case when n > 590 then 'few' end], null)) tagged (given)`,
    [harbour],
  )
  await api.pool.query('vacuum analyze device')
  for (const [tags, expected] of [
    ['many', 400],
    ['few', 10],
    ['few,many', 7],
  ] as const) {
    const found: Device[] = []
    let next: string | null = ''
    while (next !== null) {
      const query = { tags, pageSize: 120, descending: 'true', ...(next ? { next } : {}) }
      const page: { rows: Device[]; next: string | null } = await asked('Device/GetDeviceList', query)
      found.push(...page.rows)
      next = page.next
    }
    const names = found.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)].sort(new Intl.Collator('en', { numeric: true }).compare).reverse())
    expect(names).toHaveLength(expected)
  }
})
