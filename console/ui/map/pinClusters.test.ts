import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { areaOf, type MapPin, pinsWithin } from './mapPin.ts'
import { clusterPins, type Shown } from './pinClusters.ts'

const WORLD = { west: -180, south: -90, east: 180, north: 90 }
const CLOSEST_ZOOM = 18

const pinAt = (id: number, latitude: number, longitude: number, activeAlerts = 0): MapPin => ({
  id: id as DeviceId,
  guid: `g${id}` as DeviceGuid,
  name: `Device ${id}`,
  latitude,
  longitude,
  statusId: 2,
  connStatusId: 1,
  activeAlerts,
  light: id % 2 === 0 ? 'unplanned' : null,
  lightSince: null,
  lightIsAtLeast: false,
  wrong: id % 2 === 0 ? 'dark' : null,
  silentSince: null,
  isOnBattery: null,
  cause: null,
})

const fleets = fc
  .array(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      activeAlerts: fc.nat(3),
    }),
    { maxLength: 60 },
  )
  .map((places) =>
    places.map(({ latitude, longitude, activeAlerts }, id) => pinAt(id, latitude, longitude, activeAlerts)),
  )

const FINE = { dark: 0, silent: 0, warned: 0, unknown: 0, maintained: 0, fine: 0 }
const darkIn = (shown: Shown) =>
  shown.kind === 'pin' ? Number(shown.pin.light === 'unplanned') : shown.cluster.healths.dark
const countIn = (shown: Shown) => (shown.kind === 'pin' ? 1 : shown.cluster.count)
const alertsIn = (shown: Shown) => (shown.kind === 'pin' ? shown.pin.activeAlerts : shown.cluster.activeAlerts)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test('at every zoom each device is shown once, with all alerts', () => {
  fc.assert(
    fc.property(fleets, fc.integer({ min: 2, max: CLOSEST_ZOOM }), (pins, zoom) => {
      const shown = clusterPins(pins).within(WORLD, zoom)
      expect(sum(shown.map(countIn))).toBe(pins.length)
      expect(sum(shown.map(alertsIn))).toBe(sum(pins.map(({ activeAlerts }) => activeAlerts)))
      expect(sum(shown.map(darkIn))).toBe(pins.filter(({ light }) => light === 'unplanned').length)
    }),
  )
})

test('what was counted together before counts as much as its devices, and falls apart as soon as one looks closer', () => {
  const cells = [
    { latitude: 50, longitude: 14, count: 40, activeAlerts: 2, healths: { ...FINE, dark: 3, fine: 37 } },
    { latitude: 50.2, longitude: 14.3, count: 2, activeAlerts: 1, healths: { ...FINE, fine: 2 } },
    { latitude: -30, longitude: 150, count: 7, activeAlerts: 0, healths: { ...FINE, fine: 7 } },
  ]
  const clusters = clusterPins([pinAt(1, 50.1, 14.1, 5)], cells)
  const far = clusters.within(WORLD, 3)
  expect(far.map(countIn).sort((one, other) => one - other)).toEqual([7, 43])
  expect(sum(far.map(alertsIn))).toBe(8)
  expect(sum(far.map(darkIn))).toBe(3)
  const [alone] = far.flatMap((one) => (one.kind === 'cluster' && one.cluster.count === 7 ? one.cluster : []))
  if (!alone) throw new Error('It is no cluster.')
  expect([clusters.opensAt(alone), clusters.pinsOf(alone)]).toEqual([0, []])
})

test('devices far apart are pins, devices side by side a cluster that opens when one looks closer', () => {
  const clusters = clusterPins([pinAt(1, 50.08, 14.43, 2), pinAt(2, 50.09, 14.44, 1), pinAt(3, 40.4, -3.7)])
  const shown = clusters.within(WORLD, 4)
  expect(shown.map(countIn).sort()).toEqual([1, 2])
  const cluster = shown.flatMap((one) => (one.kind === 'cluster' ? one.cluster : []))[0]
  if (!cluster) throw new Error('There is no cluster.')
  expect(cluster.activeAlerts).toBe(3)
  expect(
    clusters
      .pinsOf(cluster)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([1, 2])
  const opensAt = clusters.opensAt(cluster)
  expect(clusters.within(WORLD, opensAt - 1).map(countIn)).toContain(2)
  expect(clusters.within(WORLD, opensAt).map(countIn)).toEqual([1, 1, 1])
})

test('devices at one place stay a cluster at the closest look', () => {
  const clusters = clusterPins([pinAt(1, 50, 14), pinAt(2, 50, 14)])
  const [shown] = clusters.within(WORLD, CLOSEST_ZOOM)
  if (shown?.kind !== 'cluster') throw new Error('They fell apart.')
  expect(clusters.opensAt(shown.cluster)).toBeGreaterThan(CLOSEST_ZOOM)
  expect(clusters.pinsOf(shown.cluster)).toHaveLength(2)
})

test('only what stands in the area is shown', () => {
  const clusters = clusterPins([pinAt(1, 50, 14), pinAt(2, -33, 151)])
  expect(clusters.within({ west: 10, south: 45, east: 20, north: 55 }, 6).map(countIn)).toEqual([1])
})

test('a fleet of twenty thousand shows no more than fits on a screen', () => {
  const pins = Array.from({ length: 20_000 }, (_, id) => pinAt(id, 40 + (id % 141) / 10, (id % 200) / 10))
  const clusters = clusterPins(pins)
  for (let zoom = 2; zoom <= CLOSEST_ZOOM; zoom++) {
    // The window is 1440 × 900 pixels, or the whole world where that is smaller.
    const [width, height] = [(1440 * 360) / (256 * 2 ** zoom), (900 * 180) / (256 * 2 ** zoom)]
    const area = { west: 10 - width / 2, south: 47 - height / 2, east: 10 + width / 2, north: 47 + height / 2 }
    expect(clusters.within(area, zoom).length).toBeLessThan(500)
  }
})

test('the area of pins holds them all, and no pins have none', () => {
  fc.assert(
    fc.property(fleets, (pins) => {
      const area = areaOf(pins)
      expect(area === undefined).toBe(pins.length === 0)
      expect(area ? pinsWithin(pins, area) : []).toEqual(pins)
    }),
  )
})

test('a pin beside the area is not within it', () => {
  const pins = [pinAt(1, 50, 14), pinAt(2, 50, 21), pinAt(3, 56, 14)]
  expect(pinsWithin(pins, { west: 10, south: 45, east: 20, north: 55 }).map(({ id }) => id)).toEqual([1])
})
