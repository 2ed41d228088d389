import type { ComputerReading } from '#device/hardware/readings.ts'
import { STARTS_COUNTED_MS } from '#domain/devices/restarts.ts'
import type { Kept } from './levelsBefore.ts'

const REMEMBERED_AS = 'clientStarts'
/** More would say no more. */
const MOST_KEPT = 100

/** How often this client has started in the last hour: a version that does not keep running is seen by it. */
export interface StartCount {
  withStarts(reading: ComputerReading): ComputerReading
}

/** Counts this start. */
export function createStartCount({ store, now }: { readonly store: Kept; readonly now: () => number }): StartCount {
  // A clock that was set back leaves starts in the future, which are none of the last hour.
  const isOfLastHour = (atMs: number) => atMs <= now() && atMs > now() - STARTS_COUNTED_MS
  const before: readonly number[] = JSON.parse(store.remembered(REMEMBERED_AS) ?? '[]')
  const starts = [...before.filter(isOfLastHour), now()].slice(-MOST_KEPT)
  store.remember(REMEMBERED_AS, JSON.stringify(starts))
  return { withStarts: (reading) => ({ ...reading, client_starts: starts.filter(isOfLastHour).length }) }
}
