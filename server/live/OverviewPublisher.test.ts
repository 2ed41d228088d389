import { afterEach, expect, test, vi } from 'vitest'
import type { DashboardKey } from '#contract/http/insight/overview.ts'
import type { OverviewEvent } from '#contract/http/live.ts'
import type { CustomerId } from '#domain/ids.ts'
import { addCustomer, addDevice, type StartedApi, startApi } from '#server/testing/callers.ts'
import type { OverviewPublisher } from './OverviewPublisher.ts'

const leftovers: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of leftovers.splice(0).reverse()) await clean()
})

async function setup() {
  const api = await startApi()
  leftovers.push(() => api.stop())
  leftovers.push(() => expect(api.logged.filter((line) => line.includes('live: overview'))).toEqual([]))
  return { api, teller: api.told.overview, customerId: await addCustomer(api.pool, 'Harbour') }
}

function listen(teller: OverviewPublisher, customerId?: CustomerId) {
  const heard: OverviewEvent[] = []
  const scope =
    customerId === undefined ? ({ kind: 'everything' } as const) : ({ kind: 'customer', customerId } as const)
  const stop = teller.watch({ customerId: customerId ?? -1, scope }, { send: (_event, data) => void heard.push(data) })
  return { heard, stop }
}

const counted = ({ values }: OverviewEvent, key: DashboardKey) => values.find((value) => value.key === key)?.value

const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 20 })

const openAlert = (api: StartedApi, deviceId: number) =>
  api.pool.query(
    `with opened as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, period_id,
         action_type_id, condition_text, state_since)
       values ($1, 1, now() - interval '3 days', now(), 4101, 'GT', 1, 1, 'Too warm', now()) returning device_id, id)
     insert into alert_event (device_id, alert_id, kind, at) select device_id, id, 'opened', now() from opened`,
    [deviceId],
  )

test('who watches hears the numbers at once, and again only when one of them changed', async () => {
  const { api, teller, customerId } = await setup()
  const { heard } = listen(teller)
  await until(() => heard.length === 1)
  expect(heard[0]).toMatchObject({ customerId: -1, openedAlerts: [] })
  const { id } = await addDevice(api.pool, { name: 'Pier 1', customerId, statusId: 1 })
  await until(() => heard.length === 2)
  expect(heard[1] && counted(heard[1], 'DEVICES_PENDING')).toBe(1)
  await api.pool.query('update device set name = $2 where id = $1', [id, 'Pier one'])
  await api.pool.query('update device set status_id = 3 where id = $1', [id])
  await until(() => heard.length === 3)
  expect(heard[2] && [counted(heard[2], 'DEVICES_PENDING'), counted(heard[2], 'DEVICES_MAINTENANCE')]).toEqual([0, 1])
})

test('an alert that changes no tile is told with the open alerts', async () => {
  const { api, teller, customerId } = await setup()
  const { id } = await addDevice(api.pool, { name: 'Pier 1', customerId })
  const { heard } = listen(teller, customerId)
  await until(() => heard.length === 1)
  await openAlert(api, id)
  await until(() => heard.length === 2)
  expect(heard[1]?.openedAlerts).toEqual([
    {
      condition_field: 'Display: Internal temperature (°C)',
      condition_text: 'Too warm',
      title: 'Too warm',
      count_devices: 1,
      count_active: 1,
      count_over: 0,
    },
  ])
})

test('each hears of its own customer, and nothing after it went', async () => {
  const { api, teller, customerId } = await setup()
  const other = await addCustomer(api.pool, 'Airport')
  const ours = listen(teller, customerId)
  const theirs = listen(teller, other)
  const gone = listen(teller)
  await until(() => [ours, theirs, gone].every(({ heard }) => heard.length === 1))
  gone.stop()
  await addDevice(api.pool, { name: 'Gate 1', customerId: other })
  await until(() => theirs.heard.length === 2)
  await addDevice(api.pool, { name: 'Gate 2', customerId: other })
  await until(() => theirs.heard.length === 3)
  expect(ours.heard.length).toBe(1)
  await addDevice(api.pool, { name: 'Pier 1', customerId })
  await until(() => ours.heard.length === 2)
  expect([ours.heard.length, theirs.heard.length, gone.heard.length]).toEqual([2, 3, 1])
})
