import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldIdOfKind } from '../alerts/conditionKinds.ts'
import type { AlertId, CustomerId, DeviceId, FieldId } from '../ids.ts'
import { MINUTE_MS } from '../units/time.ts'
import { firstCause, foldIncidents } from './foldIncidents.ts'
import { causeText, incidentTitle } from './incidentLabels.ts'
import type { Occurrence } from './occurrence.ts'

const SILENT = fieldIdOfKind('silent') as FieldId
const DARK = fieldIdOfKind('dark') as FieldId
const UPS = 5104 as FieldId
const ROUTER = 7101 as FieldId
const PANEL = 4101 as FieldId

interface Told {
  readonly device: number
  readonly minute: number
  readonly fieldId?: FieldId
  readonly over?: number
  readonly customer?: number
  readonly at?: readonly [number, number]
  readonly address?: string
  readonly group?: number
}

const occurrence = (told: Told, index: number): Occurrence => ({
  deviceId: told.device as DeviceId,
  alertId: (index + 1) as AlertId,
  customerId: (told.customer ?? 1) as CustomerId,
  place: { latitude: told.at?.[0] ?? null, longitude: told.at?.[1] ?? null, address: told.address ?? null },
  fieldId: told.fieldId ?? PANEL,
  raisedMs: told.minute * MINUTE_MS,
  onsetMs: told.minute * MINUTE_MS,
  overMs: told.over === undefined ? undefined : told.over * MINUTE_MS,
  groupId: told.group ?? 0,
})

const sizeOf = (devices: number, customers = 1) => ({
  all: devices,
  ofCustomer: new Map(
    Array.from({ length: customers }, (_, index) => [(index + 1) as CustomerId, devices / customers]),
  ),
})

/** Returns numbers of incidents, from 0 in the order of their first occurrence. */
function folded(all: readonly Told[], size = sizeOf(100)): number[] {
  const found = foldIncidents(all.map(occurrence), size)
  const names = [...new Set(found)]
  return found.map((root) => names.indexOf(root))
}

test.for<readonly [string, readonly Told[], readonly number[]]>([
  [
    'one device within ten minutes',
    [
      { device: 1, minute: 0 },
      { device: 1, minute: 10 },
      { device: 1, minute: 21 },
    ],
    [0, 0, 1],
  ],
  [
    'two devices of which nobody knows where they stand',
    [
      { device: 1, minute: 0 },
      { device: 2, minute: 0 },
    ],
    [0, 1],
  ],
  [
    'two at one place, of two customers',
    [
      { device: 1, minute: 0, at: [50, 10] },
      { device: 2, minute: 0, at: [50, 10], customer: 2 },
    ],
    [0, 1],
  ],
  [
    'about 140 m apart, about 160 m apart',
    [
      { device: 1, minute: 0, at: [50, 10] },
      { device: 2, minute: 0, at: [50.00126, 10] },
      { device: 3, minute: 0, at: [50, 9.9977] },
    ],
    [0, 0, 1],
  ],
  [
    'one address: near by, unknown, and in another town',
    [
      { device: 1, minute: 0, address: 'ring 1', at: [50, 10] },
      { device: 2, minute: 0, address: 'ring 1', at: [50.01, 10] },
      { device: 3, minute: 0, address: 'ring 1' },
      { device: 4, minute: 0, address: 'ring 1', at: [51, 10] },
    ],
    // An unknown position is near every other, so the address alone decides there.
    [0, 0, 0, 0],
  ],
  [
    'across the equator and the first meridian',
    [
      { device: 1, minute: 0, at: [0.0003, 0.0003] },
      { device: 2, minute: 0, at: [-0.0003, -0.0003] },
    ],
    [0, 0],
  ],
  [
    'what follows while the UPS is off, until it is on',
    [
      { device: 1, minute: 0, fieldId: UPS, over: 120 },
      { device: 1, minute: 60, fieldId: DARK },
      { device: 1, minute: 130, fieldId: SILENT },
    ],
    [0, 0, 1],
  ],
  [
    'nothing explains what feeds it, and nothing for longer than a day',
    [
      { device: 1, minute: 0, fieldId: DARK },
      { device: 1, minute: 60, fieldId: ROUTER },
      { device: 1, minute: 60 + 24 * 60 + 1, fieldId: DARK },
    ],
    [0, 1, 2],
  ],
])('%s', ([, all, expected]) => {
  expect(folded(all)).toEqual(expected)
})

const silent = (count: number, more: Partial<Told> = {}, first = 0): Told[] =>
  Array.from({ length: count }, (_, index) => ({
    device: first + index + 1,
    minute: (index % 9) / 5,
    fieldId: SILENT,
    ...more,
  }))

test('devices fall silent together in greater number than chance brings, or each by itself', () => {
  expect(new Set(folded(silent(4))).size).toBe(4)
  expect(new Set(folded(silent(5))).size).toBe(1)
  // Twenty within two minutes are normal in a fleet this large.
  expect(new Set(folded(silent(20), sizeOf(100_000))).size).toBe(20)
  expect(new Set(folded(silent(60), sizeOf(100_000))).size).toBe(1)
  // One device with two conditions counts once.
  expect(new Set(folded([...silent(4), ...silent(4)])).size).toBe(4)
})

test('a wave of one customer takes no stranger along, one of several takes all', () => {
  const one = [...silent(40), ...silent(1, { customer: 2 }, 100)]
  expect(new Set(folded(one, sizeOf(200, 2))).size).toBe(2)
  const several = [...silent(40), ...silent(5, { customer: 2 }, 100), ...silent(1, { customer: 3 }, 200)]
  expect(new Set(folded(several, sizeOf(300, 3))).size).toBe(1)
})

test('a wave goes on for as long as devices fall silent densely', () => {
  const slow = Array.from({ length: 60 }, (_, index) => ({ device: index + 1, minute: index / 3, fieldId: SILENT }))
  expect(new Set(folded(slow)).size).toBe(1)
  const later = slow.map((one) => ({ ...one, device: one.device + 100, minute: one.minute + 60 }))
  expect(new Set(folded([...slow, ...later])).size).toBe(2)
})

test('what people put together or kept apart holds, and what is near joins the nearest', () => {
  const apart: Told[] = [
    { device: 1, minute: 0, group: 7 },
    { device: 1, minute: 4, group: 8 },
    { device: 1, minute: 3 },
    { device: 2, minute: 500, group: 7 },
  ]
  expect(folded(apart)).toEqual([0, 1, 1, 0])
})

test('the root cause is the nearest to the mains of what began first', () => {
  const cause = (...all: Told[]) => firstCause(all.map(occurrence))?.fieldId
  expect(cause({ device: 1, minute: 0, fieldId: DARK }, { device: 1, minute: 1, fieldId: ROUTER })).toBe(ROUTER)
  expect(cause({ device: 1, minute: 0, fieldId: SILENT }, { device: 2, minute: 8, fieldId: UPS })).toBe(SILENT)
  expect(cause({ device: 1, minute: 0 }, { device: 1, minute: 2, fieldId: DARK })).toBe(PANEL)
})

test('what began it is told in words', () => {
  const of = (conditionText: string) => causeText({ fieldId: ROUTER, conditionText, told: null })
  expect(of('UPS: UPS status ≠ "on line interactive normal"')).toBe('Running on battery')
  expect(of('UPS: Battery test = "failed"')).toBe('Battery test failed')
  expect(of('UPS: UPS load (%) > 80, cleared at < 70')).toBe('UPS load too high, limit 80 %')
})

test('a title says what happened where', () => {
  const told = { causeText: 'Router off', causeFieldId: ROUTER, deviceName: 'Totem 3', deviceAddress: 'Ring 1' }
  expect(incidentTitle({ ...told, deviceCount: 1, placeCount: 1 })).toBe('Totem 3: Router off')
  expect(incidentTitle({ ...told, deviceCount: 2, placeCount: 1 })).toBe('Ring 1: Router off')
  for (const deviceAddress of ['', ' , '])
    expect(incidentTitle({ ...told, deviceAddress, deviceCount: 2, placeCount: 1 })).toBe('Totem 3: Router off')
  expect(incidentTitle({ ...told, causeFieldId: SILENT, deviceCount: 1000, placeCount: 312 })).toBe(
    '1,000 devices at 312 places: Router off',
  )
  const dark = { fieldId: DARK, conditionText: 'Dark for 5 minutes' }
  expect([causeText({ ...dark, told: 'The router is off.' }), causeText({ ...dark, told: null })]).toEqual([
    'Dark: the router is off',
    'Dark for 5 minutes',
  ])
})

test('whatever its order, what is one incident is one', () => {
  const some = fc.record({
    device: fc.integer({ min: 1, max: 12 }),
    minute: fc.integer({ min: 0, max: 240 }),
    fieldId: fc.constantFrom(SILENT, DARK, UPS, ROUTER, PANEL),
    over: fc.option(fc.integer({ min: 240, max: 400 }), { nil: undefined }),
    customer: fc.constantFrom(1, 1, 2),
    at: fc.constantFrom(undefined, [50, 10] as const, [50.001, 10] as const, [50.002, 10] as const),
    group: fc.constantFrom(0, 0, 0, 0, 5, 6),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (all, dice) => {
      const told = all
        .map((one) => occurrence(one as Told, 0))
        .map((one, index) => ({ ...one, alertId: (index + 1) as AlertId }))
      const shuffled = told
        .map((one) => ({ one, order: dice.next().value }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ one }) => one)
      const wholes = (list: readonly Occurrence[]) => {
        const found = foldIncidents(list, sizeOf(100, 2))
        const groups = Map.groupBy(list.keys(), (index) => found[index])
        return [...groups.values()]
          .map((own) =>
            own
              .map((index) => list[index]?.alertId)
              .toSorted()
              .join(),
          )
          .toSorted()
      }
      expect(wholes(shuffled)).toEqual(wholes(told))
    }),
  )
})
