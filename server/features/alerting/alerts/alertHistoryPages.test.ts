import { expect, test } from 'vitest'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const token = await api.signedIn({ username: 'staff@staff.example', functions: [1] })
const customerId = await addCustomer(api.pool, 'City Media')
const { id: deviceId } = await addDevice(api.pool, { name: 'Pier', customerId })

async function addAlert(moments: readonly string[], of = deviceId): Promise<number> {
  const { rows } = await api.pool.query<{ id: number }>(
    `with condition as (
       insert into alert_condition (device_id, field_id, operator_code, value_dec) values ($1, 4101, 'GT', 10)
       returning id, device_id)
     insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
       action_type_id, condition_text, metric_value_dec, state_since)
     select device_id, id, $2, $2, 4101, 'GT', 10, 1, 1, 'Load > 10', 20, $2 from condition returning id::int`,
    [of, moments[0]],
  )
  const id = rows[0]?.id as number
  for (const at of moments) {
    await api.pool.query(`insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, 'active', $3)`, [
      of,
      id,
      at,
    ])
  }
  return id
}

type History = Pick<AlertDetails, 'history'>['history']
async function page(id: number, pageSize: number, next?: string): Promise<{ rows: History; next: string | null }> {
  const answer = await ask(api, 'Alert/GetAlertHistory', { token, query: { id, pageSize, ...(next ? { next } : {}) } })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test.each([1, 2, 3])('pages of %i miss no entry and show none twice, also of one millisecond', async (pageSize) => {
  const moments = ['.122999', '.123001', '.123001', '.123456', '.123999', '.124000']
  const id = await addAlert(moments.map((part) => `2026-05-01T10:00:00${part}Z`))
  const all = (await page(id, 100)).rows.map((entry) => entry.id)
  expect(all).toHaveLength(moments.length)
  const seen: number[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const read = await page(id, pageSize, next)
    seen.push(...read.rows.map((entry) => entry.id))
    next = read.next
  }
  expect(seen).toEqual(all)
})

test.each([1, 2, 3])('pages of %i miss no alert and show none twice, also of one millisecond', async (pageSize) => {
  const device = await addDevice(api.pool, { name: `Quay ${pageSize}`, customerId })
  const moments = ['.122999', '.123001', '.123001', '.123456', '.123999', '.124000']
  for (const part of moments) await addAlert([`2026-05-01T10:00:00${part}Z`], device.id)
  const listed = async (asked: { readonly pageSize: number; readonly next?: string }) => {
    const answer = await ask(api, 'Alert/GetAlertList', { token, query: { deviceId: device.id, ...asked } })
    expect(answer.statusCode).toBe(200)
    return answer.json() as { rows: readonly { readonly id: number }[]; next: string | null }
  }
  const all = (await listed({ pageSize: 100 })).rows.map(({ id }) => id)
  expect(all).toHaveLength(moments.length)
  const seen: number[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const read = await listed({ pageSize, ...(next ? { next } : {}) })
    seen.push(...read.rows.map(({ id }) => id))
    next = read.next
  }
  expect(seen).toEqual(all)
})
