import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { ConditionPlaces, type PlacedCondition, type PlacedDevice } from './conditionPlaces.ts'

const { owner } = await databaseTest()
await owner.query(`insert into customer (name) values ('Harbour'), ('Airport')`)
const customers = (await owner.query<{ id: CustomerId }>('select id from customer order by id')).rows.map(
  ({ id }) => id,
)

const TAGS = ['north', 'quay'] as const
const devices: PlacedDevice[] = []
for (const modelId of [1, 2] as DeviceModelId[]) {
  for (const customerId of customers) {
    for (const tagKeys of [[], ['north'], ['north', 'quay']]) {
      const { rows } = await owner.query<{ id: DeviceId }>(
        `insert into device (guid, name, status_id, model_id, customer_id, iot_device_id, tags, tag_keys)
         values (gen_random_uuid(), 'Pier', 2, $1, $2, '', $3, $3) returning id`,
        [modelId, customerId, tagKeys],
      )
      devices.push({ id: rows[0]?.id as DeviceId, modelId, customerId, tagKeys })
    }
  }
}

type Place = Pick<PlacedCondition, 'deviceId' | 'modelId' | 'customerId' | 'tagKey'>
const NOWHERE: Place = { deviceId: undefined, modelId: undefined, customerId: undefined, tagKey: undefined }
const many = fc
  .record({
    customerId: fc.option(fc.constantFrom(...customers), { nil: undefined }),
    tagKey: fc.option(fc.constantFrom(...TAGS), { nil: undefined }),
  })
  .filter(({ customerId, tagKey }) => customerId !== undefined || tagKey !== undefined)
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom(...devices).map(({ id }) => ({ ...NOWHERE, deviceId: id })),
  fc.constantFrom(1 as DeviceModelId, 2 as DeviceModelId).map((modelId) => ({ ...NOWHERE, modelId })),
  many.map((some) => ({ ...NOWHERE, ...some })),
  fc.constant(NOWHERE),
)

/** Some of the conditions replace an earlier one, and what they replace replaces nothing. */
const conditions = fc
  .array(fc.record({ place, replaces: fc.option(fc.nat(), { nil: undefined, freq: 2 }), isOff: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((drawn) => {
    const made: PlacedCondition[] = []
    for (const [index, { place: where, replaces, isOff }] of drawn.entries()) {
      const bases = made.filter(({ overridesId }) => overridesId === undefined)
      const base = replaces === undefined ? undefined : bases[replaces % Math.max(bases.length, 1)]
      made.push({ ...where, id: index + 1, overridesId: base?.id, isOff: isOff && base !== undefined })
    }
    return made
  })

test('processes and statements agree on which conditions a device has', async () => {
  await fc.assert(
    fc.asyncProperty(conditions, async (made) => {
      await owner.query('delete from alert_condition')
      for (const { id, deviceId, modelId, customerId, tagKey, overridesId, isOff } of made) {
        await owner.query(
          `insert into alert_condition (id, device_id, model_id, customer_id, tag, tag_key, overrides_id, is_off,
             field_id, operator_code, value_dec) values ($1, $2, $3, $4, $5, $5, $6, $7, 5104, 'GT', 1)`,
          [id, deviceId, modelId, customerId, tagKey, overridesId, isOff],
        )
      }
      const { rows } = await owner.query<{ device: DeviceId; condition: number }>(
        `select d.id as device, c.id as condition from alert_condition c join device d on condition_applies(c, d)`,
      )
      const places = new ConditionPlaces(made)
      const byProcess = devices.flatMap((device) => places.of(device).map(({ id }) => `${device.id} ${id}`))
      expect(byProcess.sort()).toEqual(rows.map(({ device, condition }) => `${device} ${condition}`).sort())
    }),
    { numRuns: 120 },
  )
})
