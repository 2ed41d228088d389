import type { CustomerId } from '../ids.ts'
import { MINUTE_MS, WEEK_MS } from '../units/time.ts'
import { isSilence, type Occurrence } from './occurrence.ts'
import type { Union } from './Union.ts'

/** The silence of devices in a lost network is found within this time. */
const WAVE_MS = 2 * MINUTE_MS
const FEWEST_OF_A_WAVE = 5
/** A working device falls silent about this often without a common cause. */
const SILENT_EVERY_MS = WEEK_MS
const DEVIATIONS_OF_CHANCE = 6

/** The number of devices, which separates chance from a common cause. */
export interface FleetSize {
  readonly all: number
  readonly ofCustomer: ReadonlyMap<CustomerId, number>
}

/** Returns how many devices do not fall silent together by chance: six deviations above the expected number. */
function moreThanChance(devices: number): number {
  const expected = (devices * WAVE_MS) / SILENT_EVERY_MS
  return Math.max(FEWEST_OF_A_WAVE, Math.ceil(expected + DEVIATIONS_OF_CHANCE * Math.sqrt(expected)))
}

/**
 * Joins devices that fall silent together, wherever they are: those of one customer, and those of several if there are
 * more than by chance even without the customer that has most of them.
 */
export function joinOfWaves(
  all: readonly Occurrence[],
  byOnset: readonly number[],
  size: FleetSize,
  union: Pick<Union, 'join'>,
): void {
  const silent = byOnset.filter((index) => isSilentOne(all[index]))
  for (const [customerId, own] of Map.groupBy(silent, (index) => all[index]?.customerId)) {
    const enough = moreThanChance(customerId === undefined ? 0 : (size.ofCustomer.get(customerId) ?? 0))
    joinDense(all, own, (window) => window.devices >= enough, union)
  }
  const enough = moreThanChance(size.all)
  joinDense(all, silent, (window) => window.devices - window.ofLargest() >= enough, union)
}

interface Window {
  readonly devices: number
  readonly ofLargest: () => number
}

function joinDense(
  all: readonly Occurrence[],
  sorted: readonly number[],
  isDense: (window: Window) => boolean,
  union: Pick<Union, 'join'>,
): void {
  const times = new Map<number, number>()
  const ofCustomers = new Map<number, number>()
  const window = {
    get devices() {
      return times.size
    },
    ofLargest: () => Math.max(0, ...ofCustomers.values()),
  }
  let end = 0
  let joinedTo = 0
  for (const [start, index] of sorted.entries()) {
    const untilMs = (all[index]?.onsetMs ?? 0) + WAVE_MS
    for (; end < sorted.length && (all[sorted[end] ?? -1]?.onsetMs ?? 0) <= untilMs; end++)
      count(all[sorted[end] ?? -1], 1)
    if (isDense(window)) {
      for (let at = Math.max(start + 1, joinedTo); at < end; at++)
        union.join(sorted[at] ?? index, sorted[at - 1] ?? index)
      joinedTo = end
    }
    count(all[index], -1)
  }

  function count(one: Occurrence | undefined, by: 1 | -1): void {
    if (one === undefined) return
    const before = times.get(one.deviceId) ?? 0
    if (before + by === 0) times.delete(one.deviceId)
    else times.set(one.deviceId, before + by)
    const isFirstOrLast = before === 0 || before + by === 0
    if (isFirstOrLast) ofCustomers.set(one.customerId, (ofCustomers.get(one.customerId) ?? 0) + by)
  }
}

const isSilentOne = (one: Occurrence | undefined): boolean => one !== undefined && isSilence(one.fieldId)
