/**
 * A rollout. `running`: offers are made. `paused`, `halted`: none are made until somebody resumes; the first by a
 * person, the second by itself because too many failed. `stopped`: never again. `finished`: no device is left.
 */
export const ROLLOUT_STATES = ['running', 'paused', 'halted', 'stopped', 'finished'] as const
export type RolloutState = (typeof ROLLOUT_STATES)[number]

/**
 * One device in a rollout. `waiting`: not offered yet, or not any more. `offered`: the device is told, and has not said
 * anything. `downloading`, `verifying`, `restarting`: its own words. `done`, `failed`: ended. `withdrawn`: it was
 * stopped before it began.
 */
export const DEVICE_UPDATE_STATES = [
  'waiting',
  'offered',
  'downloading',
  'verifying',
  'restarting',
  'done',
  'failed',
  'withdrawn',
] as const
export type DeviceUpdateState = (typeof DEVICE_UPDATE_STATES)[number]

/** Those in which it is not over for the device. */
export const OPEN_STATES: readonly DeviceUpdateState[] = [
  'waiting',
  'offered',
  'downloading',
  'verifying',
  'restarting',
]

/** Those in which the device itself is at work. */
export const BEGUN_STATES = ['downloading', 'verifying', 'restarting'] as const satisfies readonly DeviceUpdateState[]
