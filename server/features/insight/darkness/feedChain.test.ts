import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getFeedChain, type WireFeedChain } from '#contract/http/insight/feedChain.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

async function addTotem(modelId = 1): Promise<DeviceId> {
  const customerId = await addCustomer(api.pool, `Customer ${randomUUID()}`)
  const { id } = await addDevice(api.pool, { name: 'Totem', customerId, modelId: modelId as DeviceModelId })
  for (const { componentModelId, number, label, als } of standardComponents(modelId as DeviceModelId)) {
    await api.pool.query(
      `insert into device_component (device_id, component_model_id, category_id, number, label, als)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, componentModelId, componentModelById(componentModelId)?.categoryId, number, label, als],
    )
  }
  return id
}

const set = (deviceId: DeviceId, feeds: object) =>
  ask(api, 'Device/SetFeedChain', { token, method: 'POST', body: { deviceId, feeds } })
async function chainOf(deviceId: DeviceId): Promise<WireFeedChain> {
  const answer = await ask(api, 'Device/GetFeedChain', { token, query: { deviceId } })
  return getFeedChain.answer.parse(answer.json())
}
const feeder = ({ parts }: WireFeedChain, key: string) => {
  const part = parts.find((it) => it.key === key)
  return [part?.fedBy, part?.defaultFedBy]
}
const audited = async (deviceId: DeviceId) =>
  (await api.pool.query('select outcome from audit_log where entity_id = $1 order by id', [deviceId])).rows.map(
    ({ outcome }) => outcome,
  )

test('what was wired is answered beside the default, and put back by leaving it out', async () => {
  const id = await addTotem()
  expect(feeder(await chainOf(id), 'computer')).toEqual(['powerSwitch/2', 'powerSwitch/2'])
  const answer = await set(id, { computer: 'powerSwitch/1', player: 'powerSwitch/1' })
  expect(answer.statusCode, answer.body).toBe(200)
  const chain = await chainOf(id)
  expect(answer.json()).toEqual(chain)
  expect(feeder(chain, 'computer')).toEqual(['powerSwitch/1', 'powerSwitch/2'])
  // What equals the model's wiring is not stored.
  const { rows } = await api.pool.query('select part, fed_by from device_feed where device_id = $1', [id])
  expect(rows).toEqual([{ part: 'computer', fed_by: 'powerSwitch/1' }])
  await set(id, {})
  expect(feeder(await chainOf(id), 'computer')).toEqual(['powerSwitch/2', 'powerSwitch/2'])
})

test('a circle is refused by name, changes nothing, and is audited once', async () => {
  const id = await addTotem()
  await set(id, { computer: 'mains' })
  const answer = await set(id, { 'powerSwitch/1': 'powerSwitch/2', 'powerSwitch/2': 'powerSwitch/1' })
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    {
      code: 'invalid_feeds',
      message: 'Power switch 1 would feed itself: Power switch 1 → Power switch 2 → Power switch 1.',
    },
  ])
  expect(feeder(await chainOf(id), 'computer')[0]).toBe('mains')
  expect(await audited(id)).toEqual(['done', 'invalid_feeds'])
})

test('a part whose feeder is removed is fed as by default again, and as it was wired when that comes back', async () => {
  const id = await addTotem(15)
  await set(id, { 'camera/1': 'relayPort/1/1', computer: 'relayPort/1/2' })
  await api.pool.query(
    'update device_component set category_id = 0, component_model_id = 0 where device_id = $1 and component_model_id = 4',
    [id],
  )
  expect(feeder(await chainOf(id), 'camera/1')).toEqual(['upsGroup/2', 'upsGroup/2'])
  await api.pool.query(
    'update device_component set category_id = 3, component_model_id = 4 where device_id = $1 and component_model_id = 0',
    [id],
  )
  expect(feeder(await chainOf(id), 'camera/1')[0]).toBe('relayPort/1/1')
})

test('the walk goes by what was wired', async () => {
  const id = await addTotem()
  const outlets = async () => {
    const answer = await ask(api, 'Device/GetDarkness', { token, query: { deviceId: id } })
    return answer.json().walks[0].links.some(({ kind }: { kind: string }) => kind === 'outlet')
  }
  expect(await outlets()).toBe(true)
  await set(id, { 'display/1': 'ups', player: 'ups', computer: 'ups' })
  expect(await outlets()).toBe(false)
})
