import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, type Request } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const { id, guid } = await addDevice(api.pool, { name: 'One', customerId })
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

async function message(path: string, asked: Request) {
  const answer = await ask(api, path, { token, ...asked })
  return [answer.statusCode, answer.json().message]
}
const post = (path: string, body: object) => message(path, { method: 'POST', body })
const create = (name: unknown) => post('Device/CreateDevice', { customerId, modelId: 1, name })
const set = (details: object) => post('Device/SetDeviceDetails', { id, ...details })
const stored = async () => (await ask(api, 'Device/GetDevice', { token, query: { guid } })).json()

const NO_LINE = 'it has a line break, or a character that changes the direction of the text'

test('a name that shows nothing is none, whatever it is made of', async () => {
  for (const name of ['', '  ', '\u200b', '\u3164', '\u2800', null, undefined]) {
    expect(await create(name), JSON.stringify(name)).toEqual([400, 'name is required'])
  }
  expect(await post('Customer/SetCustomer', { id: 0, name: '\u3164' })).toEqual([400, 'name is required'])
  expect(await post('AppRole/SetAppRole', { id: 0, name: '\u200b', roleFunctions: [] })).toEqual([
    400,
    'name is required',
  ])
})

test('a name has one line and reads as it stands', async () => {
  for (const name of ['Front\nBack', 'Front\u2028Back', '\u202egnp.exe', 'a\u2066b']) {
    expect(await create(name), JSON.stringify(name)).toEqual([400, `name is not valid: ${NO_LINE}`])
    expect(await set({ address: name })).toEqual([400, `address is not valid: ${NO_LINE}`])
  }
  expect((await create(' Äpfel 2 '))[0]).toBe(200)
  expect((await set({ description: 'Line\nbreaks may be here' }))[0]).toBe(200)
})

const TAG_TAKERS: readonly (readonly [path: string, field: string, body: (tag: string) => object])[] = [
  ['Device/SetDeviceDetails', 'tags.0', (tag) => ({ id, tags: [tag] })],
  ['Device/ChangeDeviceTags', 'add.0', (tag) => ({ id, add: [tag] })],
  ['Alert/SetAlertCondition', 'tag', (tag) => ({ tag })],
  ['MaintenanceWindow/CreateMaintenanceWindow', 'target.tag', (tag) => ({ target: { kind: 'tag', tag } })],
  ['NotifyRoute/SetNotifyRoute', 'tag', (tag) => ({ tag })],
  ['StatusPage/SetStatusPage', 'tag', (tag) => ({ tag })],
]

test.each(TAG_TAKERS)('%s says of a tag that is no name what is said of names', async (path, field, body) => {
  const saidOf = async (tag: string) => {
    const [status, sentences] = await post(path, body(tag))
    expect(status).toBe(400)
    return String(sentences)
      .split('; ')
      .filter((sentence) => sentence.startsWith(`${field} `))
  }
  for (const tag of ['two\nlines', '\u202etag'])
    expect(await saidOf(tag)).toEqual([`${field} is not valid: ${NO_LINE}`])
  expect(await saidOf('one, two')).toEqual([`${field} is not valid: a tag has 1 to 40 characters and no comma`])
  // Routes and status pages may have no tag.
  const mayBeNone = path.startsWith('NotifyRoute') || path.startsWith('StatusPage')
  expect(await saidOf('\u200b')).toEqual(mayBeNone ? [] : [`${field} is required`])
})

test('what nobody sees at the ends of a name is not kept, in the middle it is', async () => {
  const given = '\u200b Mole\u200b2 \u2060\u200b'
  expect((await set({ name: given, attrSerial: given, tags: [given, 'Mole\u200b2'] }))[0]).toBe(200)
  expect(await stored()).toMatchObject({
    name: 'Mole\u200b2',
    attrSerial: 'Mole\u200b2',
    tags: ['Mole\u200b2'],
  })
  expect(await post('Device/SetDeviceDetails', { id, address: '\u200b' })).toEqual([200, undefined])
  expect(await stored()).toMatchObject({ address: '' })
})

test('an address of the network is taken without the blanks around it, and is four octets', async () => {
  expect((await set({ internalIp: ' 10.20.30.40\n', externalIp: '\t192.168.100.100 ' }))[0]).toBe(200)
  expect(await stored()).toMatchObject({ internalIp: '10.20.30.40', externalIp: '192.168.100.100' })
  for (const internalIp of ['10.20.30', '10.20.30.256', '10. 20.30.40', '::1']) {
    expect(await set({ internalIp })).toEqual([400, 'This field internalIp is not a valid IP address.'])
  }
})

test('null is as good as nothing where something has to be', async () => {
  expect(await post('Device/CreateDevice', { customerId, modelId: null, name: 'Two' })).toEqual([
    400,
    'modelId is required',
  ])
  expect(await post('Alert/CloseAlerts', { idList: [1], resolutionId: null })).toEqual([
    400,
    'resolutionId is required',
  ])
  expect((await set({ latitude: null, longitude: null }))[0]).toBe(200)
})

test('blanks around a number in an address are no part of it, and a decimal comma is explained', async () => {
  const read = (query: Record<string, string>) => message('Device/GetDeviceById', { query })
  expect((await read({ id: ` ${id}\t` }))[0]).toBe(200)
  expect(await read({ id: '1 2' })).toEqual([400, 'id is not valid'])
  expect(await read({ id: '1,5' })).toEqual([400, 'id is not valid: write decimals with a point, such as 1.5'])
  expect(await set({ latitude: ' 48,2 ', longitude: 16 })).toEqual([
    400,
    'latitude is not valid: write decimals with a point, such as 1.5',
  ])
})
