/**
 * The states of a rollout. `running` assigns releases. `paused` and `halted` assign none until somebody resumes; a
 * person pauses, too many failures halt. `stopped` is final. `finished` means that no device is left.
 */
export const ROLLOUT_STATES = ['running', 'paused', 'halted', 'stopped', 'finished'] as const
export type RolloutState = (typeof ROLLOUT_STATES)[number]

/**
 * The states of one device in a rollout. `waiting`: not assigned yet, or no longer. `offered`: assigned, without a
 * report so far. `downloading`, `verifying`, `restarting`: reported by the device. `done`, `failed`: ended.
 * `withdrawn`: stopped before it began.
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

/** The update is not over for the device in these states. */
export const OPEN_STATES: readonly DeviceUpdateState[] = [
  'waiting',
  'offered',
  'downloading',
  'verifying',
  'restarting',
]

/** The device itself is at work in these states. */
export const BEGUN_STATES = ['downloading', 'verifying', 'restarting'] as const satisfies readonly DeviceUpdateState[]
