import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConditionPreview } from '#contract/http/alerting/thresholds.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { type AlertProcess, startAlertProcess } from '#server/testing/devices/alertProcesses.ts'
import { DISPLAY, storeReports } from '#server/testing/devices/telemetryFixture.ts'

const EVERY_PANEL_TEMP = 4001
const PANEL_TEMP = 4101
const EVERY_CAMERA = 10_001
const HOT = { eventTypeFieldId: EVERY_PANEL_TEMP, operatorId: 1, valueDec: 40, allDevices: true }

const api = await apiTest()
const { pool } = api
const customerId = await addCustomer(pool, 'Harbour')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1] })
let server: AlertProcess
beforeAll(async () => {
  server = await startAlertProcess({ pool, database: api })
})
afterAll(async () => {
  await server.path.stop(1000)
  await server.watch.stop()
})

const call = async <Answer>(path: string, body: object): Promise<Answer> => {
  const answer = await ask(api, path, { token: staff, method: 'POST', body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Answer
}
const set = (body: object) => call<{ id: number; conditionText: string }>('Alert/SetAlertCondition', body)
const remove = (id: number) => call('Alert/DelAlertCondition', { id })

const kiosk = async (name: string) => {
  const { id } = await addDevice(pool, { name, customerId })
  await pool.query('update device set model_id = 15, status_id = 2 where id = $1', [id])
  return id as DeviceId
}
let clock = Date.now() - 40 * MINUTE_MS
const reports = async (deviceId: DeviceId, temps: readonly (number | undefined)[]) => {
  clock += MINUTE_MS
  const atMs = clock
  for (const [index, internal_temp] of temps.entries())
    if (internal_temp !== undefined)
      await storeReports(server.path, DISPLAY, deviceId, [{ atMs, number: index + 1, values: { internal_temp } }])
}
const told = async (deviceId: DeviceId) => {
  const { rows } = await pool.query<{ text: string; state: number; status: number }>(
    `select condition_text as text, condition_state_id as state, status_id as status from alert
     where device_id = $1 and withdrawn_at is null order by field_id, id`,
    [deviceId],
  )
  return rows.map(({ text, state, status }) => `${text}: ${status === 2 ? 'closed' : state === 1 ? 'now' : 'over'}`)
}

test('a condition without a number holds for every display, and each is judged by itself', async () => {
  const { id, conditionText } = await set(HOT)
  expect(conditionText).toBe('Every display: Internal temperature (°C) > 40')
  const device = await kiosk('Kiosk 1')
  await reports(device, [38, 39, 48.5])
  expect(await told(device)).toEqual(['Display 3: Internal temperature (°C) > 40: now'])
  await reports(device, [41, 39, 39])
  expect(await told(device)).toEqual([
    'Display: Internal temperature (°C) > 40: now',
    'Display 3: Internal temperature (°C) > 40: over',
  ])
  // It is one condition: one row in the list and one in the audit log.
  const list = await ask(api, 'Alert/GetAlertConditionList', { token: staff, query: { deviceId: device } })
  expect(list.json()).toMatchObject([{ id, eventTypeFieldId: EVERY_PANEL_TEMP, fieldName: 'Internal temperature' }])
  const limits = await ask(api, 'Device/GetReadingLimits', { token: staff, query: { deviceId: device } })
  expect(limits.json().map(({ field_id }: { field_id: number }) => field_id)).toEqual([4101, 4201, 4301])
  await remove(id)
  expect(await told(device)).toEqual([
    'Display: Internal temperature (°C) > 40: closed',
    'Display 3: Internal temperature (°C) > 40: closed',
  ])
  await reports(device, [50, 50, 50])
  expect(await told(device)).toHaveLength(2)
})

test('what is changed, replaced or switched off is so for every display', async () => {
  const { id } = await set(HOT)
  const [hot, other] = [await kiosk('Kiosk 2'), await kiosk('Kiosk 3')]
  await set({ ...HOT, id, valueDec: 45 })
  await reports(hot, [44, 46, 44])
  expect(await told(hot)).toEqual(['Display 2: Internal temperature (°C) > 45: now'])
  const override = await set({ ...HOT, allDevices: false, deviceId: hot, overridesId: id, isOff: true })
  expect(await told(hot)).toEqual(['Display 2: Internal temperature (°C) > 45: closed'])
  await reports(hot, [50, 50, 50])
  await reports(other, [50, 44, 50])
  expect(await told(hot)).toHaveLength(1)
  expect(await told(other)).toHaveLength(2)
  await remove(override.id)
  await reports(hot, [50, 44, 44])
  expect(await told(hot)).toHaveLength(2)
  // A condition for one display alone is another condition.
  await set({ ...HOT, id, eventTypeFieldId: PANEL_TEMP, valueDec: 45 })
  await reports(other, [44, 50, 50])
  await reports(other, [44, 50, 50])
  expect((await told(other)).filter((text) => text.endsWith('now'))).toEqual([])
  await remove(id)
})

test('two fields of every display are those of one display, and a display that is not there misses nothing', async () => {
  const both = await set({
    ...{
      kind: 'pair',
      allDevices: true,
      joinedBy: 'and',
      eventTypeFieldId: EVERY_PANEL_TEMP,
      operatorId: 1,
      valueDec: 40,
    },
    ...{ secondFieldId: 4002, secondOperatorId: 1, secondValueDec: 40 },
  })
  expect(both.conditionText).toMatch(/^Every display: .* > 40 and .* > 40$/)
  const missing = await set({ kind: 'absent', minutes: 5, allDevices: true, eventTypeFieldId: EVERY_PANEL_TEMP })
  const device = await kiosk('Kiosk 4')
  await reports(device, [30, 30])
  for (let minute = 0; minute < 8; minute++) await reports(device, [30])
  // The second display stopped reporting; the third never reported.
  expect(await told(device)).toEqual(['Display 2: Internal temperature (°C) not reported for 5 minutes: now'])
  for (const { id } of [both, missing]) await remove(id)
})

test('a preview counts every display', async () => {
  const device = await kiosk('Kiosk 5')
  await reports(device, [30, 30, 50])
  await reports(device, [50, 30, 30])
  const body = { ...HOT, allDevices: false, deviceId: device, days: 7 }
  const { counts } = await call<ConditionPreview>('Alert/PreviewAlertCondition', body)
  expect(counts).toMatchObject([{ days: 7, timesMet: 2, deviceCount: 1 }])
})

test('two kinds of components are not paired without a number', async () => {
  const answer = await ask(api, 'Alert/SetAlertCondition', {
    token: staff,
    method: 'POST',
    body: {
      ...{ ...HOT, kind: 'pair', joinedBy: 'and' },
      ...{ secondFieldId: EVERY_CAMERA, secondOperatorId: 5, secondValueText: 'x' },
    },
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().message).toMatch(/^secondFieldId is not valid: of two kinds of components one needs a number/)
})

test('what is offered begins with every display, of what a device may have several of', async () => {
  const offered = await ask(api, 'EventType/GetDeviceEtFieldList', { token: staff, query: { modelId: 15 } })
  const groups = [...new Set((offered.json() as { groupName: string }[]).map(({ groupName }) => groupName))]
  expect(groups).toContain('Every display')
  expect(groups.indexOf('Every display')).toBeLessThan(groups.indexOf('Display'))
  expect(groups).not.toContain('Every ups')
})
