import { MINUTE_MS } from '../units/time.ts'
import { BEGUN_STATES, type DeviceUpdateState } from './states.ts'

/** Connected and without a word about the update. */
const STUCK_AFTER_MS = 10 * MINUTE_MS
/** Connected again after the restart, and without a word about how it went. */
export const SILENT_AFTER_RESTART_MS = 5 * MINUTE_MS
/** Not connected any more: beyond this, three tries of two minutes each are over on the device. */
const LOST_AFTER_RESTART_MS = 15 * MINUTE_MS

/** A new version that has started again so often while it was observed is not taken back by the launcher of its device. */
export const MOST_EARLY_RESTARTS = 4
/** An observed device that is away for longer counts as lost by its new version. */
export const LOST_WHILE_OBSERVED_MS = 60 * MINUTE_MS
/** Unless somebody says otherwise. */
export const USUAL_OBSERVE_MINUTES = 30

/** What a device says of an update; the words of contract/mqtt/client.ts. */
export type DeviceStep = 'downloading' | 'verifying' | 'restarting' | 'done' | 'failed'

/**
 * The state of an update after the device's word, or undefined when the word changes nothing. What has failed by the
 * device's own word has failed for good. What is done may fail later, because a launcher takes back a version that does
 * not keep running; until then its device says `done` at each start. What the server gave up or took back may still turn
 * out to be done, because a device that was restarting at that moment could not be told.
 */
export function stateAfter(
  state: DeviceUpdateState,
  step: DeviceStep,
  hasDeviceEndedIt: boolean,
): DeviceUpdateState | undefined {
  if (hasDeviceEndedIt) return state === 'done' && (step === 'done' || step === 'failed') ? step : undefined
  if (step === 'done' || step === 'failed') return step
  if (state === 'failed' || state === 'withdrawn' || state === 'done') return undefined
  // Taken back: it will hear of it before it restarts.
  if (state === 'waiting' && step !== 'restarting') return undefined
  return step
}

export interface OpenUpdate {
  readonly state: DeviceUpdateState
  readonly changedAtMs: number
  /** Since when the device is connected without a break; undefined when it is not. */
  readonly connectedSinceMs: number | undefined
}

/**
 * Why an update is given up although the device has not said that it failed; undefined as long as there is hope. A
 * device that is away is waited for, unless it was restarting: that is what a client that cannot connect looks like.
 */
export function whyGivenUp({ state, changedAtMs, connectedSinceMs }: OpenUpdate, nowMs: number): string | undefined {
  const silentMs = nowMs - Math.max(changedAtMs, connectedSinceMs ?? 0)
  if (connectedSinceMs === undefined) {
    const isLost = state === 'restarting' && silentMs > LOST_AFTER_RESTART_MS
    return isLost ? 'The device has not come back since it restarted.' : undefined
  }
  if (state === 'restarting' && silentMs > SILENT_AFTER_RESTART_MS) {
    return 'The device is back after the restart, but has not reported whether the update worked.'
  }
  if (silentMs <= STUCK_AFTER_MS) return undefined
  if (state === 'offered') {
    return 'The device has not answered. The program that it runs may be too old to update itself.'
  }
  return isBegun(state) ? 'The device has not got any further for 10 minutes.' : undefined
}

const isBegun = (state: DeviceUpdateState) => BEGUN_STATES.some((begun) => begun === state)
