import type { APIRequestContext, Page } from '@playwright/test'
import type { Call } from '../contract/http/call.ts'
import { CALLS } from '../contract/http/table.ts'
import { EVENT_TYPES } from '../domain/catalogue/eventTypes.ts'
import { connectOwnDevice, type OwnDevice } from './support/device.ts'
import { CANARY_HOST, HOSTILE_TEXTS } from './support/hostileTexts.ts'
import { expect, test } from './support/journey.ts'

/**
 * Every text that somebody can write, by a call or as a device, holds each of forty hostile texts; then an
 * administrator looks at every screen. The table of calls says which fields are texts: a new one is written too, or
 * this test says that nobody told it how.
 */

interface Planted {
  readonly text: string
  readonly number: number
  readonly device: OwnDevice
  customerId: number
  roleId: number
  userId: number
  conditionId: number
}

type Values = Readonly<Record<string, unknown>>
const ALERT_FIELD = { eventTypeFieldId: 0, operatorId: 0 }

/** What each call needs beside its texts. The order is that of the list: what comes first is what later ones are about. */
const NEEDS: Readonly<Record<string, (planted: Planted) => Values | readonly Values[]>> = {
  'Customer/SetCustomer': () => ({ id: 0, countryId: 1 }),
  'AppRole/SetAppRole': () => ({ id: 0, roleFunctions: [{ functionId: 2 }] }),
  'AppUser/SetAppUser': ({ roleId, number }) => ({ roleId, username: `hostile${number}@harbour.example`, email: '' }),
  'Device/SetDeviceDetails': ({ device }) => ({ id: device.id, timeZone: null, guid: device.guid }),
  'Device/SetDeviceComponents': ({ device }) => [
    { id: -1, deviceId: device.id, modelId: 4, number: 1, optionPort1: 'FULL', optionPort2: 'RESET' },
  ],
  'DeviceMaintenance/SetDeviceMaintenance': ({ device }) => ({
    deviceId: device.id,
    startDt: new Date().toISOString(),
  }),
  'Alert/SetAlertCondition': ({ device }) => ({ deviceId: device.id, valueDec: null, ...ALERT_FIELD }),
  'App/Login': () => ({ password: 'not the password' }),
  'App/RequestPasswordReset': () => ({}),
  // Refused, and in the audit log by its name.
  'Release/UploadRelease': () => ({ contentBase64: Buffer.from('no release').toString('base64') }),
}
/** These calls refuse what the others take. */
const REFUSALS: Readonly<Record<string, readonly number[]>> = { 'App/Login': [401], 'Release/UploadRelease': [400] }
/** Their texts are secrets or zones, which nothing shows, or are written below in another way. */
const WITHOUT_SHOWN_TEXT = ['App/SetPasswordByToken', 'AppUser/ChangeUserPass', 'App/SetTimeZone']
/** About alerts, which exist only once a device has reported; or written once with all texts. */
const WRITTEN_BELOW = ['Alert/AcknowledgeAlert', 'Alert/CloseAlerts', 'Country/SetHolidayList', 'Device/CreateDevice']

interface SchemaInside {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly element?: Schema
  readonly innerType?: Schema
  readonly in?: Schema
}
interface Schema {
  readonly def: SchemaInside
  readonly safeParse: (value: unknown) => { readonly success: boolean }
}

const inputOf = (call: Call) => (call.method === 'GET' ? call.query : call.body) as unknown as Schema

function inside({ def }: Schema): SchemaInside {
  const next = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  return next ? inside(next) : def
}

/** Fields of a call that take any text. */
function textFields(call: Call): readonly string[] {
  const { shape, element } = inside(inputOf(call))
  const fields = shape ?? (element && inside(element).shape) ?? {}
  return Object.entries(fields)
    .filter(
      ([, field]) => inside(field).type === 'string' && HOSTILE_TEXTS.every((text) => field.safeParse(text).success),
    )
    .map(([name]) => name)
}

const withTexts = (call: Call, needs: Values | readonly Values[], text: string) => {
  const texts = Object.fromEntries(textFields(call).map((name) => [name, text]))
  return Array.isArray(needs) ? needs.map((one) => ({ ...texts, ...one })) : { ...texts, ...needs }
}

async function headersOf(request: APIRequestContext, password: string) {
  const login = await request.post('/api/App/Login', { data: { username: 'admin@demo.example', password } })
  return { authorization: `Bearer ${(await login.json()).accessToken}` }
}

async function plant(request: APIRequestContext, headers: Record<string, string>, planted: Planted) {
  for (const [path, needs] of Object.entries(NEEDS)) {
    const call = CALLS.find((one) => one.path === path)
    if (!call) throw new Error(`There is no call ${path}.`)
    const data = withTexts(call, needs(planted), planted.text)
    const answer = await request.post(`/api/${path}`, { headers, data })
    const isRefusal = [429, ...(REFUSALS[path] ?? [])].includes(answer.status())
    expect([path, planted.text, isRefusal || answer.ok() ? '' : await answer.text()]).toEqual([path, planted.text, ''])
    if (isRefusal) continue
    const said = await answer.json()
    if (path === 'Customer/SetCustomer') planted.customerId = idIn(said)
    if (path === 'AppRole/SetAppRole') planted.roleId = idIn(said)
    if (path === 'AppUser/SetAppUser') planted.userId = idIn(said)
    if (path === 'Alert/SetAlertCondition') planted.conditionId = idIn(said)
  }
  const status = { headers, data: { id: planted.device.id, statusId: 2 } }
  expect((await request.post('/api/Device/SetDeviceStatus', status)).status()).toBe(200)
}

const idIn = (answer: unknown): number =>
  typeof answer === 'number' ? answer : ((answer as { id?: number } | null)?.id ?? 0)

/** Every text that a device can report, and fields that no catalogue knows. */
async function report({ device, text, number }: Planted) {
  for (const { topic, fields } of EVENT_TYPES) {
    const texts = fields.filter(({ attributeTypeId }) => attributeTypeId === 2).map(({ name }) => [name, text])
    await device.report(topic, { ...Object.fromEntries(texts), [text.slice(0, 60)]: text })
  }
  // The list of messages of the first one shows them all.
  for (const said of number === 0 ? HOSTILE_TEXTS : [text]) await device.say(said)
}

/** What happens in the page that must not: dialogs, reports of the policy, requests elsewhere. */
async function setTraps(page: Page): Promise<string[]> {
  const caught: string[] = []
  page.on('dialog', (dialog) => {
    caught.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).hostname === CANARY_HOST) caught.push(`request: ${request.url()}`)
  })
  await page.exposeBinding('noteViolation', (_source, text: string) => void caught.push(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => void }
      noteViolation(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  return caught
}

async function visit(page: Page, path: string, sign?: string) {
  await page.goto(path)
  await expect(page.getByRole('heading').first()).toBeVisible()
  if (sign !== undefined) await expect(page.getByText(sign).first()).toBeAttached()
  await expect(page.locator('.loading-skeleton, [aria-busy="true"]')).toHaveCount(0)
}

const json = (value: object) => encodeURIComponent(JSON.stringify(value))

test('nothing that people or devices write is ever taken for anything but text', async ({
  page,
  context,
  request,
  system,
  signInAs,
  complaints,
}) => {
  test.setTimeout(1_500_000)
  await signInAs('admin')
  const caught = await setTraps(page)
  const headers = await headersOf(request, system.password)
  const get = async (path: string) => (await request.get(`/api/${path}`, { headers })).json()

  await test.step('every call with a text is one that this test writes', () => {
    const withText = CALLS.filter((call) => call.changes && textFields(call).length > 0).map(({ path }) => path)
    const known = [...Object.keys(NEEDS), ...WITHOUT_SHOWN_TEXT, ...WRITTEN_BELOW]
    expect(withText.filter((path) => !known.includes(path))).toEqual([])
    expect(withText.length).toBeGreaterThan(10)
  })

  const all: Planted[] = []
  await test.step('people and devices write', async () => {
    expect(HOSTILE_TEXTS).toHaveLength(40)
    for (const [number, text] of HOSTILE_TEXTS.entries()) {
      const device = await connectOwnDevice(system, request, text, system.mqttUrl, 2)
      if (number === 0) await chooseAlertField(get, device)
      const planted: Planted = { text, number, device, customerId: 0, roleId: 0, userId: 0, conditionId: 0 }
      await plant(request, headers, planted)
      await report(planted)
      all.push(planted)
    }
    const rows = HOSTILE_TEXTS.map((name, n) => ({
      date: new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10),
      name,
    }))
    const holidays = await request.post('/api/Country/SetHolidayList', {
      headers,
      data: { countryId: 1, year: 2027, rows: rows.map(({ date, name }) => ({ date, name })) },
    })
    expect([holidays.status(), await holidays.text()]).toEqual([200, expect.any(String)])
  })

  let alertIds: number[] = []
  await test.step('readings raise alerts, which people comment on', async () => {
    const alerts = async () =>
      (await get('Alert/GetAlertList?rowNum=1&pageSize=500')).rows as { id: number; deviceId: number }[]
    const ours = async () => (await alerts()).filter(({ deviceId }) => all.some(({ device }) => device.id === deviceId))
    await expect.poll(async () => (await ours()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(40)
    for (const { id, deviceId } of await ours()) {
      const text = all.find(({ device }) => device.id === deviceId)?.text
      const noted = await request.post('/api/Alert/AcknowledgeAlert', { headers, data: { id, note: text } })
      expect(noted.status()).toBe(200)
      alertIds.push(id)
      if (id % 2) continue
      const closed = { idList: [id], resolutionId: 1, comment: text }
      expect((await request.post('/api/Alert/CloseAlerts', { headers, data: closed })).status()).toBe(200)
    }
    alertIds = alertIds.slice(0, 4)
  })

  await test.step('lists show them all', async () => {
    await visit(page, '/devices?sort=name', HOSTILE_TEXTS[2])
    for (const path of ['/overview', '/users', '/roles', '/customers', '/thresholds', '/analytics', '/locations']) {
      await visit(page, path)
    }
    for (const path of ['/client-software', '/client-updates', '/client-updates/new']) await visit(page, path)
    await visit(page, '/alerts?statusId=any', HOSTILE_TEXTS[5])
    for (let number = 1; number <= 8; number += 1) await visit(page, `/audit-log?page=${number}`)
    await visit(page, `/audit-log?entityName=${encodeURIComponent('<script>')}`, HOSTILE_TEXTS[1])
    await page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first().locator('td').first().click()
    await expect(page.getByRole('dialog', { name: 'Audit entry' })).toBeVisible()
  })

  await test.step('pages of one thing each', async () => {
    for (const { device, text, userId } of all.filter(({ number }) => number % 4 === 0)) {
      await visit(page, `/devices/${device.guid}/status?view=messages`, text)
      await visit(page, `/users/user-details?data=${json({ id: userId })}`)
    }
    for (const { device } of all.filter(({ number }) => number % 10 === 0)) {
      for (const tab of ['status', 'status?view=raw&evTypeId=5', 'details', 'generic-setup', 'setup']) {
        await visit(page, `/devices/${device.guid}/${tab}`)
      }
      for (const tab of ['device-components', 'alerts', 'maintenance'])
        await visit(page, `/devices/${device.guid}/${tab}`)
      await visit(page, `/thresholds?deviceId=${device.id}`)
      await visit(page, `/analytics?data=${json({ metric: { deviceId: device.id, metricId: 4101 } })}`)
    }
    for (const id of alertIds) await visit(page, `/alerts/alert-details?data=${json({ id })}`)
  })

  await test.step('addresses that somebody else wrote', async () => {
    for (const text of HOSTILE_TEXTS) {
      const path = ['/users/user-details', '/alerts/alert-details', '/analytics'][text.length % 3]
      await page.goto(`${path}?data=${encodeURIComponent(text)}&filter=${encodeURIComponent(text)}`)
      await expect(page.getByRole('banner')).toBeVisible()
    }
  })
  expect(caught).toEqual([])
  expect(complaints).toEqual([])

  await test.step('the traps catch what they are for', async () => {
    const other = await context.newPage()
    const caughtThere = await setTraps(other)
    await other.goto('/')
    await other.evaluate((texts) => {
      const place = document.createElement('div')
      document.body.append(place)
      place.innerHTML = texts.join('')
    }, HOSTILE_TEXTS)
    await expect.poll(() => caughtThere.filter((one) => one.startsWith('policy')).length).toBeGreaterThan(3)
    await other.close()
  })
})

/** A text that a device reports and a condition can be about. */
async function chooseAlertField(get: (path: string) => Promise<unknown>, { id }: OwnDevice) {
  const fields = (await get(`EventType/GetDeviceEtFieldList?deviceId=${id}`)) as { id: number; attTypeId: number }[]
  const operators = (await get('Alert/GetOperatorList?attTypeId=2')) as { id: number; code: string }[]
  ALERT_FIELD.eventTypeFieldId = fields.find(({ attTypeId }) => attTypeId === 2)?.id ?? 0
  ALERT_FIELD.operatorId = operators.find(({ code }) => code === 'EQ')?.id ?? 0
  expect(ALERT_FIELD.eventTypeFieldId).toBeGreaterThan(0)
  expect(ALERT_FIELD.operatorId).toBeGreaterThan(0)
}
