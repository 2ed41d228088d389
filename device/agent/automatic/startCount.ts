import type { ComputerReading } from '#device/hardware/readings.ts'
import { STARTS_COUNTED_MS } from '#domain/devices/restarts.ts'
import type { Kept } from './levelsBefore.ts'

const REMEMBERED_AS = 'clientStarts'
/** More starts would reveal nothing new. */
const MOST_KEPT = 100

/** Counts the starts of this client within the last hour, which shows a version that does not keep running. */
export interface StartCount {
  withStarts(reading: ComputerReading): ComputerReading
}

export function createStartCount({ store, now }: { readonly store: Kept; readonly now: () => number }): StartCount {
  // Some starts lie in the future after a clock was set back; they are not in the last hour.
  const isOfLastHour = (atMs: number) => atMs <= now() && atMs > now() - STARTS_COUNTED_MS
  const before: readonly number[] = JSON.parse(store.remembered(REMEMBERED_AS) ?? '[]')
  const starts = [...before.filter(isOfLastHour), now()].slice(-MOST_KEPT)
  store.remember(REMEMBERED_AS, JSON.stringify(starts))
  return { withStarts: (reading) => ({ ...reading, client_starts: starts.filter(isOfLastHour).length }) }
}
