import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const deviceId = (await addDevice(api.pool, { name: 'One', customerId: await addCustomer(api.pool, 'Ours') })).id
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

const JSON_TYPE = { 'content-type': 'application/json' }
/**
 * Distinct names as short as these keep the body below the limit of bytes, so that only the count of fields is judged.
 */
const fields = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',')
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

async function refused(path: string, body: string) {
  const answer = await ask(api, path, { token, method: 'POST', headers: JSON_TYPE, body })
  return [answer.statusCode, (answer.json() as { message: string }).message]
}

test.each(['App/Login', 'App/RequestPasswordReset', 'App/CheckPasswordLink', 'App/SetPasswordByToken'])(
  'of a body for %s, which is open to everybody, 4 kB are read',
  async (path) => {
    expect((await refused(path, `{"a":"${'x'.repeat(4096)}"}`))[0]).toBe(413)
    const [status, message] = await refused(path, `{${fields(190)}}`)
    expect(status).toBe(400)
    expect(String(message).split('; ')).toHaveLength(5)
  },
)

test('a name of 254 and a password of 1,024 letters of three bytes each still fit into a sign-in', async () => {
  const body = JSON.stringify({ username: '名'.repeat(254), password: '密'.repeat(1024) })
  expect((await refused('App/Login', body))[0]).toBe(401)
})

test.each([
  ['more than 200 fields in one object', `{${fields(201)}}`, 'body has more than 200 fields in one object'],
  ['nesting of 20 levels', `{"name":${nested(20)}}`, 'body is nested deeper than 16 levels'],
  [
    'more than 6,000 fields',
    `{"a":[${Array.from({ length: 60 }, () => `{${fields(101)}}`).join(',')}]}`,
    'body has more than 6000 fields',
  ],
])('%s is refused before anything is built from it', async (_, body, message) => {
  expect(await refused('Device/CreateDevice', body)).toEqual([400, message])
})

test('200 unknown fields make five sentences', async () => {
  const [status, message] = await refused('Device/CreateDevice', `{${fields(200)}}`)
  expect([status, String(message).split('; ').length]).toEqual([400, 5])
})

test('of a list no more is judged once five elements are wrong, and nothing of one that is too long', async () => {
  const close = (idList: unknown[]) =>
    refused('Alert/CloseAlerts', JSON.stringify({ idList, resolutionId: 'x', comment: '' }))
  const [status, message] = await close(Array.from({ length: 10_000 }, () => 'x'))
  expect([status, message]).toEqual([400, [0, 1, 2, 3, 4].map((n) => `idList.${n} is not valid`).join('; ')])
  expect(await close(Array.from({ length: 10_001 }, () => 'x'))).toEqual([400, 'idList is not valid'])
  expect(await close([1, 2, 'x', 4, 5, 6, 7])).toEqual([400, 'idList.2 is not valid; resolutionId is not valid'])
})

test('sentences about elements are the same in long lists as in short ones', async () => {
  const component = (number: unknown) => ({ deviceId, modelId: 3, number })
  const wrong = (numbers: unknown[]) => refused('Device/SetDeviceComponents', JSON.stringify(numbers.map(component)))
  expect(await wrong([1, 'x'])).toEqual([400, '1.number is not valid'])
  expect(await wrong([1, 2, 3, 4, 5, 6, 7, 'x', undefined])).toEqual([
    400,
    '7.number is not valid; 8.number is required',
  ])
})

test('an address with more parameters than any call takes is refused', async () => {
  const query = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, 1]))
  const answer = await ask(api, 'Device/GetDeviceList', { token, query })
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'address is not valid'])
})
