import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { codeOfBytes } from '#domain/claims/claimCode.ts'
import { authenticateDevice } from '#server/gateway/wire/credentials.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask, type StartedApi, startApi } from '#server/testing/callers.ts'

const api = await apiTest()
const second = await startApi({ on: api })
afterAll(() => second.stop())
const nordlys = await addCustomer(api.pool, 'Nordlys')
const metro = await addCustomer(api.pool, 'Metro')
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const makerOf = (name: string, customerId = nordlys) =>
  api.signedIn({ username: `${name}@nordlys.example`, functions: [3, 8], customerId })

const post = async (path: string, body: object, token?: string, on: StartedApi = api) => {
  const answer = await ask(on, `Claim/${path}`, { method: 'POST', body, ...(token === undefined ? {} : { token }) })
  return { status: answer.statusCode, body: answer.json() }
}
let boxes = 0
function box(more: object = {}) {
  const number = String(++boxes).padStart(4, '0')
  const facts = {
    model: 'NUC 13',
    serialNumbers: [`SN-${number}`],
    macAddresses: [`02:00:00:00:${number.slice(0, 2)}:${number.slice(2)}`],
  }
  return { key: randomBytes(32).toString('base64url'), facts: { ...facts, ...more } }
}
const begin = async (asked = box()) =>
  ({ ...asked, ...(await post('Begin', asked)).body }) as ReturnType<typeof box> & { code: string }
const claim = (code: string, token = staff, more: object = {}, on: StartedApi = api) =>
  post('ClaimDevice', { code, customerId: nordlys, modelId: 22, name: 'Pier 4', ...more }, token, on)
const stateOf = async (key: string) => (await post('GetState', { key })).body
const wrongCode = () => codeOfBytes(randomBytes(8))
const auditRows = async () =>
  (await api.pool.query('select call, outcome, entity_name as name, details from audit_log order by id')).rows

test('a device that shows a code is claimed by it, and connects with the key that only it knows', async () => {
  const asked = box()
  const begun = await post('Begin', asked)
  expect(begun.body).toEqual({
    ...{ state: 'code', code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/), secondsLeft: 600 },
    address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/claim\?code=[A-HJ-NP-Z2-9]{8}$/),
  })
  const maker = await makerOf('maker')
  const found = await post('FindDevice', { code: begun.body.code }, maker)
  expect(found.body).toMatchObject({ facts: asked.facts, address: '127.0.0.1', knownAs: null })
  const made = await claim(begun.body.code.toLowerCase(), maker, { address: 'Quay 4', latitude: 59.9, longitude: 10.7 })
  expect(made.body).toMatchObject({
    ...{ name: 'Pier 4', customerId: nordlys, attrSerial: asked.facts.serialNumbers[0], statusId: 1 },
    ...{ address: 'Quay 4', latitude: 59.9, timeZone: 'Europe/Oslo', timeZoneIsAssumed: true },
  })
  const state = await stateOf(asked.key)
  expect(state).toMatchObject({ state: 'claimed', customerName: 'Nordlys' })
  expect(state.configuration).toMatchObject({
    guid: made.body.guid,
    name: 'Pier 4',
    modelId: 22,
    mqttUrl: expect.any(String),
  })
  expect(JSON.stringify(state)).not.toContain(asked.key)
  const identity = await authenticateDevice(api.pool, made.body.guid, Buffer.from(asked.key))
  expect(identity).toMatchObject({ deviceId: made.body.id, isFirstUse: true })
  const { rows } = await api.pool.query('select device_claim::text as kept from device_claim')
  expect(rows.some(({ kept }) => kept.includes(asked.key))).toBe(false)
  expect((await auditRows()).map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
    ...['Claim/Begin done', 'Claim/FindDevice done', 'Claim/ClaimDevice done'],
  ])
})

test('a wrong, an expired, a spent and a used code get one answer, and only staff are told who has a device', async () => {
  const maker = await makerOf('curious')
  const [used, late, spent] = [await begin(), await begin(), await begin()]
  await claim(used.code)
  await api.pool.query(`update device_claim set code_until = now() - interval '1 second' where code = $1`, [
    late.code.replace('-', ''),
  ])
  await api.pool.query('update device_claim set wrong_tries = 5 where code = $1', [spent.code.replace('-', '')])
  const answers = []
  for (const code of [wrongCode(), used.code, late.code, spent.code]) answers.push(await claim(code, maker))
  for (const answer of answers)
    expect(answer).toEqual({ status: 400, body: { ...answers[0]?.body, requestId: answer.body.requestId } })
  const told = await claim(used.code)
  expect([told.status, told.body.message]).toEqual([409, 'This device was claimed as “Pier 4” of Nordlys.'])
  // The device that shows a late or a spent code asks, and gets another one.
  for (const { key, code } of [late, spent]) {
    const state = await stateOf(key)
    expect(state).toMatchObject({ state: 'code', secondsLeft: 600 })
    expect(state.code).not.toBe(code)
    expect((await post('FindDevice', { code: state.code }, staff)).status).toBe(200)
  }
})

test('five wrong codes are one operator’s limit in all processes, and five that begin alike end a code', async () => {
  const maker = await makerOf('guesser')
  const shown = await begin()
  const half = shown.code.slice(0, 4)
  const others = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE'].filter((other) => other !== shown.code.slice(5))
  for (const [index, other] of others.slice(0, 4).entries())
    expect((await claim(half + other, maker, {}, index % 2 ? second : api)).status).toBe(400)
  // A right code takes no try.
  expect((await post('FindDevice', { code: shown.code }, maker, second)).status).toBe(200)
  expect((await claim(wrongCode(), maker)).status).toBe(400)
  const limited = await claim(shown.code, maker, {}, second)
  expect([limited.status, limited.body.code]).toEqual([429, 'too_many_requests'])
  const colleague = await makerOf('colleague')
  expect((await claim(half + 'FFFF', colleague)).status).toBe(400)
  expect((await claim(shown.code, colleague)).status).toBe(400)
  expect((await auditRows()).filter(({ outcome }) => outcome === 'too_many_requests')).toHaveLength(1)
})

test('of two who claim one code at the same moment one gets the device', async () => {
  const { code } = await begin()
  const answers = await Promise.all([claim(code), claim(code, staff, { name: 'Other' }, second)])
  // Whoever comes second finds the code used, or is told as staff who has the device.
  const [first, other] = answers.map(({ status }) => status).sort()
  expect([first, [400, 409].includes(other ?? 0)]).toEqual([200, true])
})

test('hardware that another customer has is refused like a wrong code, and staff see who has it', async () => {
  const first = await begin()
  await claim(first.code)
  const again = await begin({ ...box(), facts: { ...box().facts, serialNumbers: first.facts.serialNumbers } })
  const stranger = await makerOf('stranger', metro)
  const refused = await claim(again.code, stranger, { customerId: metro })
  expect([refused.status, refused.body.code]).toEqual([400, 'claim_not_valid'])
  const found = await post('FindDevice', { code: again.code }, staff)
  expect(found.body.knownAs).toMatchObject({ name: 'Pier 4', customerName: 'Nordlys' })
  expect((await post('FindDevice', { code: again.code }, await makerOf('owner'))).body.knownAs).toBeNull()
})

test('staff give the record of a device that was installed anew, claimed or imported before, to its box', async () => {
  const first = await begin()
  const made = await claim(first.code, staff, { name: 'Quay 7' })
  await authenticateDevice(api.pool, made.body.guid, Buffer.from(first.key))
  const again = await begin({ ...box(), facts: first.facts })
  const give = (code: string, deviceId: number, token = staff) => post('GiveRecord', { code, deviceId }, token)
  const other = await begin()
  expect((await give(other.code, made.body.id)).status).toBe(404)
  expect((await give(again.code, made.body.id, await makerOf('taker'))).status).toBe(403)
  expect((await give(again.code, made.body.id)).body).toMatchObject({ name: 'Quay 7', customerName: 'Nordlys' })
  const state = await stateOf(again.key)
  expect(state).toMatchObject({ state: 'claimed', configuration: { guid: made.body.guid, name: 'Quay 7' } })
  expect(await authenticateDevice(api.pool, made.body.guid, Buffer.from(again.key))).toMatchObject({
    ...{ deviceId: made.body.id, isFirstUse: true },
  })
  expect(await authenticateDevice(api.pool, made.body.guid, Buffer.from(first.key))).toBeUndefined()
  expect(await stateOf(first.key)).toEqual({ state: 'refused' })
  expect((await auditRows()).at(-1)).toMatchObject({ call: 'Claim/GiveRecord', outcome: 'done', name: 'Quay 7' })

  // A file knows nothing but the serial number.
  const written = await begin()
  await api.pool.query('update device set attr_serial = $1 where id = $2', [
    written.facts.serialNumbers[0],
    made.body.id,
  ])
  expect((await post('FindDevice', { code: written.code }, staff)).body.knownAs).toMatchObject({ name: 'Quay 7' })
  expect((await give(written.code, made.body.id)).status).toBe(200)
})

test('nobody claims for another customer, and who may not add devices claims none', async () => {
  const { code } = await begin()
  expect((await claim(code, await makerOf('own'), { customerId: metro })).status).toBe(404)
  const seer = await api.signedIn({ username: 'seer@nordlys.example', functions: [8], customerId: nordlys })
  expect((await claim(code, seer)).status).toBe(403)
  expect((await claim(code)).status).toBe(200)
})

test('devices with a claim key wait, and one that is ended in the middle lets no later one in', async () => {
  const made = await post(
    'CreateKey',
    { name: 'Image 7', customerId: nordlys, mostDevices: 100, expiresInDays: 30 },
    staff,
  )
  const claimKey = made.body.key as string
  const asked = Array.from({ length: 10 }, () => ({ ...box(), claimKey }))
  const states = []
  for (const [index, one] of asked.entries()) {
    if (index === 5) expect((await post('EndKey', { id: made.body.id }, staff)).body).toBe(true)
    states.push(await post('Begin', one))
  }
  expect(states.map(({ status, body }) => body.state ?? status)).toEqual([
    ...Array.from({ length: 5 }, () => 'waiting'),
    ...Array.from({ length: 5 }, () => 403),
  ])
  // One that waits has no device and therefore no way to any data.
  const keys = await api.pool.query('select count(*)::int as n from device_credential')
  const admin = await api.signedIn({ username: 'admin@nordlys.example', functions: [1], customerId: nordlys })
  const elsewhere = await api.signedIn({ username: 'admin@metro.example', functions: [1], customerId: metro })
  const waiting = async (token: string) => (await ask(api, 'Claim/GetWaitingList', { token })).json()
  expect(await waiting(elsewhere)).toEqual([])
  const list = await waiting(admin)
  expect(list).toHaveLength(5)
  expect(list[0]).toMatchObject({ keyName: 'Image 7', customerName: 'Nordlys', facts: asked[0]?.facts })
  const ids = list.map(({ id }: { id: number }) => id)
  const pattern = { modelId: 22, namePattern: 'Totem {nn}', firstNumber: 8 }
  expect((await post('AcceptDevices', { ids, ...pattern }, elsewhere)).status).toBe(404)
  expect((await post('AcceptDevices', { ids, ...pattern, namePattern: 'Totem' }, admin)).status).toBe(400)
  expect((await post('AcceptDevices', { ids: [...ids, 2_000_000_000], ...pattern }, admin)).status).toBe(404)
  expect((await api.pool.query('select count(*)::int as n from device_credential')).rows).toEqual(keys.rows)
  expect((await post('RefuseDevices', { ids: ids.slice(4) }, admin)).body).toBe(true)
  const accepted = await post('AcceptDevices', { ids: ids.slice(0, 4), ...pattern }, admin)
  expect(accepted.body.names).toEqual(['Totem 08', 'Totem 09', 'Totem 10', 'Totem 11'])
  expect(await waiting(admin)).toEqual([])
  expect(await stateOf(asked[0]?.key ?? '')).toMatchObject({ state: 'claimed', configuration: { name: 'Totem 08' } })
  expect(await stateOf(asked[4]?.key ?? '')).toEqual({ state: 'refused' })
  expect(await stateOf(asked[7]?.key ?? '')).toEqual({ state: 'unknown' })
})

test('a claim key lets in as many as it may, of all servers together, until its date', async () => {
  const made = await post('CreateKey', { name: 'Three', mostDevices: 3, expiresInDays: 1 }, staff)
  const enter = (on: StartedApi = api) => post('Begin', { ...box(), claimKey: made.body.key }, undefined, on)
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => enter(index % 2 ? second : api)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403, 403])
  const [listed] = (await ask(api, 'Claim/GetKeyList', { token: staff })).json()
  expect(listed).toMatchObject({ name: 'Three', usedBy: 3, state: 'full' })
  expect(JSON.stringify(listed)).not.toContain(made.body.key.slice(10))
  await api.pool.query(`update claim_key set most_devices = 9, expires_at = now() - interval '1 day' where id = $1`, [
    made.body.id,
  ])
  expect((await enter()).status).toBe(403)
  expect((await post('Begin', { ...box(), claimKey: `wck_${'A'.repeat(43)}` })).body.code).toBe('claim_key_not_valid')
})

test('boxes that wait and are here already go on in their records, all or none, and only staff decide', async () => {
  const made = await post('CreateKey', { name: 'Spare', customerId: metro, mostDevices: 9, expiresInDays: 1 }, staff)
  const wait = async (asked: ReturnType<typeof box>) => {
    expect((await post('Begin', { ...asked, claimKey: made.body.key })).body.state).toBe('waiting')
    return asked
  }
  const claimedBefore = await begin()
  const quay = (await claim(claimedBefore.code, staff, { name: 'Quay 8' })).body
  const again = await wait({ ...box(), facts: claimedBefore.facts })
  const imported = await wait(box())
  const pier = (await claim((await begin()).code, staff, { name: 'Pier 9', customerId: metro })).body
  await api.pool.query('update device set attr_serial = $1 where id = $2', [imported.facts.serialNumbers[0], pier.id])
  const fresh = await wait(box())
  const waiting = async (token = staff): Promise<{ id: number; facts: object; knownAs: object | null }[]> =>
    (await ask(api, 'Claim/GetWaitingList', { token }))
      .json()
      .filter(({ keyName }: { keyName: string }) => keyName === 'Spare')
  const list = await waiting()
  expect(list.map(({ knownAs }) => knownAs)).toEqual([
    { id: quay.id, guid: quay.guid, name: 'Quay 8', customerName: 'Nordlys' },
    expect.objectContaining({ name: 'Pier 9', customerName: 'Metro' }),
    null,
  ])
  const [quayBox, pierBox, freshBox] = list.map(({ id }) => id)

  // The hardware of another customer is no concern of this one, and a written serial number says nothing to customers.
  const admin = await api.signedIn({ username: 'spare@metro.example', functions: [1], customerId: metro })
  expect((await waiting(admin)).map(({ id, knownAs }) => [id, knownAs])).toEqual([
    [pierBox, null],
    [freshBox, null],
  ])
  const asNew = { ids: [quayBox], modelId: 22, namePattern: 'Totem {nn}' }
  expect((await post('AcceptDevices', asNew, admin)).status).toBe(404)
  expect((await post('RefuseDevices', { ids: [quayBox] }, admin)).status).toBe(404)

  const acceptAs = (records: object[], token = staff) => post('AcceptAsDevices', { records }, token)
  const right = { id: pierBox, deviceId: pier.id }
  expect((await acceptAs([right], admin)).status).toBe(403)
  expect((await acceptAs([right, { id: freshBox, deviceId: quay.id }])).status).toBe(404)
  const count = async () => (await api.pool.query('select count(*)::int as n from device')).rows[0].n
  const devices = await count()
  expect((await acceptAs([right, { id: quayBox, deviceId: quay.id }])).body).toEqual({ names: ['Quay 8', 'Pier 9'] })
  expect(await count()).toBe(devices)
  expect(await stateOf(again.key)).toMatchObject({ state: 'claimed', configuration: { guid: quay.guid } })
  expect(await authenticateDevice(api.pool, quay.guid, Buffer.from(again.key))).toMatchObject({ isFirstUse: true })
  expect(await stateOf(claimedBefore.key)).toEqual({ state: 'refused' })
  expect(await stateOf(imported.key)).toMatchObject({ configuration: { name: 'Pier 9' } })
  expect((await waiting()).map(({ facts }) => facts)).toMatchObject([fresh.facts])
  expect((await auditRows()).filter(({ call }) => call === 'Claim/AcceptAsDevices').at(-1)).toMatchObject({
    ...{ outcome: 'done', details: 'Accepted as 2 devices: Quay 8, Pier 9' },
  })
})

test('of two boxes that say the same serial number one at a time gets the record', async () => {
  const made = await post('CreateKey', { name: 'Twice', mostDevices: 9, expiresInDays: 1 }, staff)
  const first = await begin()
  const device = (await claim(first.code, staff, { name: 'Quay 10' })).body
  for (const asked of [box(), box()]) await post('Begin', { ...asked, facts: first.facts, claimKey: made.body.key })
  const twins = (await ask(api, 'Claim/GetWaitingList', { token: staff }))
    .json()
    .filter(({ knownAs }: { knownAs: { id: number } | null }) => knownAs?.id === device.id)
    .map(({ id }: { id: number }) => ({ id, deviceId: device.id }))
  expect(twins).toHaveLength(2)
  const refused = await post('AcceptAsDevices', { records: twins }, staff)
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect((await post('AcceptAsDevices', { records: twins.slice(0, 1) }, staff)).body).toEqual({ names: ['Quay 10'] })
})

test('a device that asks again gets the same claim, and one address cannot fill the table', async () => {
  const asked = await begin()
  const again = await post('Begin', { key: asked.key, facts: asked.facts })
  expect(again.body.code).toBe(asked.code)
  await api.pool.query(`update allowance set whole_at = now() + interval '1 hour' where subject like 'claim-begin:%'`)
  const refused = await post('Begin', box(), undefined, second)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  await api.pool.query(`delete from allowance where subject like 'claim-begin:%'`)
})

test('codes that no device shows any more are forgotten, and what became a device stays', async () => {
  const [gone, kept] = [await begin(), await begin()]
  await claim(kept.code, staff, { name: randomUUID() })
  await api.pool.query(`update device_claim set seen_at = now() - interval '2 hours'`)
  await api.runJob('forgotten claims')
  expect([await stateOf(gone.key), (await stateOf(kept.key)).state]).toEqual([{ state: 'unknown' }, 'claimed'])
})
