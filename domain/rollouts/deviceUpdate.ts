import { MINUTE_MS } from '../units/time.ts'
import { BEGUN_STATES, type DeviceUpdateState } from './states.ts'

/** The device is connected, but reports nothing about the update. */
const STUCK_AFTER_MS = 10 * MINUTE_MS
/** The device is connected again after the restart, but reports no result. */
export const SILENT_AFTER_RESTART_MS = 5 * MINUTE_MS
/** The device is not connected: beyond this, its three tries of two minutes each are over. */
const LOST_AFTER_RESTART_MS = 15 * MINUTE_MS

/** A new version that has restarted this often during its observation was not rolled back by the launcher. */
export const MOST_EARLY_RESTARTS = 4
/** An observed device that is away for longer counts as lost by its new version. */
export const LOST_WHILE_OBSERVED_MS = 60 * MINUTE_MS
export const USUAL_OBSERVE_MINUTES = 30

/** The steps that a device reports; the words are those of contract/mqtt/client.ts. */
export type DeviceStep = 'downloading' | 'verifying' | 'restarting' | 'done' | 'failed'

/**
 * Returns the state of an update after a report of the device, or undefined if that changes nothing. A failure that the
 * device reported is final. A finished update may fail later, because a launcher rolls back a version that does not
 * keep running; until then its device reports `done` at each start. An update that the server gave up or withdrew may
 * still finish, because a device that was restarting could not be informed.
 */
export function stateAfter(
  state: DeviceUpdateState,
  step: DeviceStep,
  hasDeviceEndedIt: boolean,
): DeviceUpdateState | undefined {
  if (hasDeviceEndedIt) return state === 'done' && (step === 'done' || step === 'failed') ? step : undefined
  if (step === 'done' || step === 'failed') return step
  if (state === 'failed' || state === 'withdrawn' || state === 'done') return undefined
  // The assignment was withdrawn, and the device learns of it before it restarts.
  if (state === 'waiting' && step !== 'restarting') return undefined
  return step
}

export interface OpenUpdate {
  readonly state: DeviceUpdateState
  readonly changedAtMs: number
  /** The beginning of the present connection; undefined when it is offline. */
  readonly connectedSinceMs: number | undefined
}

/**
 * Returns why an update is given up although the device has not reported a failure; undefined as long as it may
 * succeed. An absent device is waited for, unless it was restarting, because a client that cannot connect looks like
 * that.
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
