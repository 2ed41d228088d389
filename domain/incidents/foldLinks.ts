import { SAME_ADDRESS_RADIUS_M, SITE_RADIUS_M } from '../devices/site.ts'
import { DAY_MS, MINUTE_MS } from '../units/time.ts'
import { explainsWhatFollows, feedRank, type Occurrence, type Place } from './occurrence.ts'
import type { Union } from './Union.ts'

/** Occurrences at one place that begin within this time have one cause. */
export const TOGETHER_MS = 10 * MINUTE_MS
/** A longer problem is a state rather than an event, so it does not explain what follows. */
export const EXPLAINS_FOR_MS = DAY_MS

const METRES_A_DEGREE = 111_320
/** Near the poles a degree of longitude has no width, so a cell would be infinite. */
const NARROWEST_DEGREE = 0.01

type Joins = Pick<Union, 'join'>

/** Joins, for each device, what begins together, and what follows while a part that feeds it has a lasting problem. */
export function joinOfDevices(all: readonly Occurrence[], byOnset: readonly number[], union: Joins): void {
  for (const own of Map.groupBy(byOnset, (index) => all[index]?.deviceId).values()) {
    joinNear(all, own, union)
    joinExplained(all, own, union)
  }
}

function joinNear(all: readonly Occurrence[], sorted: readonly number[], union: Joins): void {
  for (const [at, index] of sorted.entries()) {
    const before = sorted[at - 1]
    if (before !== undefined && onsetOf(all, index) - onsetOf(all, before) <= TOGETHER_MS) union.join(before, index)
  }
}

/** Expects the occurrences sorted by beginning. */
function joinExplained(all: readonly Occurrence[], sorted: readonly number[], union: Joins): void {
  let lasting: { readonly index: number; readonly rank: number; readonly untilMs: number }[] = []
  for (const index of sorted) {
    const one = all[index]
    if (one === undefined) continue
    lasting = lasting.filter(({ untilMs }) => untilMs >= one.onsetMs)
    const rank = feedRank(one.fieldId)
    for (const cause of lasting) if (cause.rank < rank) union.join(cause.index, index)
    if (!explainsWhatFollows(one.fieldId)) continue
    const untilMs = Math.min(one.overMs ?? Number.POSITIVE_INFINITY, one.onsetMs + EXPLAINS_FOR_MS)
    lasting.push({ index, rank, untilMs })
  }
}

interface Spot {
  readonly place: Place
  readonly sorted: readonly number[]
}

/** Joins, for each customer, what begins together on devices at one site. */
export function joinOfSites(all: readonly Occurrence[], byOnset: readonly number[], union: Joins): void {
  for (const own of Map.groupBy(byOnset, (index) => all[index]?.customerId).values()) {
    const spots = [...Map.groupBy(own, (index) => textOf(all[index]?.place)).values()].flatMap((sorted): Spot[] => {
      const place = all[sorted[0] ?? -1]?.place
      return place ? [{ place, sorted }] : []
    })
    for (const spot of spots) if (isKnown(spot.place)) joinNear(all, spot.sorted, union)
    for (const [one, other] of pairsOf(spots)) joinBoth(all, one.sorted, other.sorted, union)
  }
}

const textOf = (place: Place | undefined) => `${place?.latitude} ${place?.longitude} ${place?.address}`

const isKnown = ({ latitude, longitude, address }: Place): boolean =>
  address !== null || (latitude !== null && longitude !== null)

/** Joins each with the nearest in time before and after, which joins the others too. */
function joinBoth(all: readonly Occurrence[], one: readonly number[], other: readonly number[], union: Joins): void {
  let at = 0
  for (const index of one) {
    const onsetMs = onsetOf(all, index)
    while (at < other.length && onsetOf(all, other[at]) < onsetMs) at++
    for (const near of [other[at - 1], other[at]]) {
      if (near !== undefined && Math.abs(onsetOf(all, near) - onsetMs) <= TOGETHER_MS) union.join(index, near)
    }
  }
}

/** Yields pairs of spots that form one site (domain/devices/site.ts). */
function* pairsOf(spots: readonly Spot[]): Generator<readonly [Spot, Spot]> {
  for (const same of Map.groupBy(spots, ({ place }) => place.address).values()) {
    if (same[0]?.place.address === null) continue
    yield* pairsWithin(same, (one, other) => metresBetween(one, other) <= SAME_ADDRESS_RADIUS_M)
  }
  const placed = spots.filter(hasPosition)
  const cells = Map.groupBy(placed.keys(), (at) => cellOf(placed[at]?.place, 0, 0))
  for (const [at, one] of placed.entries()) {
    for (const [rows, columns] of AROUND) {
      for (const next of cells.get(cellOf(one.place, rows, columns)) ?? []) {
        const other = placed[next]
        if (next > at && other && metresBetween(one.place, other.place) <= SITE_RADIUS_M) yield [one, other]
      }
    }
  }
}

const AROUND = [-1, 0, 1].flatMap((rows) => [-1, 0, 1].map((columns) => [rows, columns] as const))

function* pairsWithin(spots: readonly Spot[], isOne: (one: Place, other: Place) => boolean) {
  for (const [at, one] of spots.entries()) {
    for (const other of spots.slice(at + 1)) if (isOne(one.place, other.place)) yield [one, other] as const
  }
}

const hasPosition = ({ place }: Spot) => place.latitude !== null && place.longitude !== null

/** A cell is at least as high and wide as a site, so near spots are in adjacent cells. */
function cellOf(place: Place | undefined, rows: number, columns: number): string {
  const high = SITE_RADIUS_M / METRES_A_DEGREE
  const row = Math.floor((place?.latitude ?? 0) / high) + rows
  const wide = high / Math.max(NARROWEST_DEGREE, Math.cos(((Math.abs(row) + 1) * high * Math.PI) / 180))
  return `${row} ${Math.floor((place?.longitude ?? 0) / wide) + columns}`
}

/** Returns zero if a position is unknown, so that the address alone decides. */
function metresBetween(one: Place, other: Place): number {
  if (one.latitude === null || other.latitude === null || one.longitude === null || other.longitude === null) return 0
  const middle = ((one.latitude + other.latitude) / 2) * (Math.PI / 180)
  return (
    METRES_A_DEGREE * Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * Math.cos(middle))
  )
}

const onsetOf = (all: readonly Occurrence[], index: number | undefined): number =>
  all[index ?? -1]?.onsetMs ?? Number.NaN
