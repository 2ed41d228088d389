import { z } from 'zod'
import { type Call, call } from '#contract/call/call.ts'
import {
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  momentValue,
  textValue,
} from '#contract/call/values.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { USUAL_OBSERVE_MINUTES } from '#domain/rollouts/deviceUpdate.ts'
import { DEVICE_UPDATE_STATES, ROLLOUT_STATES } from '#domain/rollouts/states.ts'
import { MOST_CHOSEN_DEVICES, MOST_WAVES } from '#domain/rollouts/wavePlan.ts'

const deviceIds = z.array(deviceIdValue).max(MOST_CHOSEN_DEVICES)

export const updateClientVersion = call({
  method: 'POST',
  path: 'Device/UpdateClientVersion',
  summary:
    'Have devices run the newest release. Answers a sentence for each device that will not; the others are offered it at once.',
  permission: 'admin',
  body: deviceIds.min(1),
  answer: z.array(z.string()),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Client update' },
  largestBodyBytes: 128 * 1024,
  stepUp: 'always',
})

export const checkClientUpdate = call({
  method: 'POST',
  path: 'Device/CheckClientUpdate',
  summary: 'What Device/UpdateClientVersion would answer for these devices now. Changes nothing.',
  permission: 'admin',
  shows: ['Device', 'Client update', 'Release'],
  body: z.strictObject({ deviceIds: deviceIds.min(1) }),
  largestBodyBytes: 128 * 1024,
  answer: z.object({
    /** The newest release; null when there is none to update to. */
    version: z.string().nullable(),
    refusals: z.array(z.string()),
    /** The devices that wait in an update which somebody has to resume first; only staff receive them. */
    waiting: z.array(
      z.object({
        deviceId: deviceIdValue,
        deviceName: z.string(),
        updateId: z.number().int(),
        state: z.enum(['paused', 'halted']),
      }),
    ),
  }),
  errors: ['not_found'],
})

const updateState = z.enum(DEVICE_UPDATE_STATES)
const countsByState = z.object({
  ...(Object.fromEntries(DEVICE_UPDATE_STATES.map((state) => [state, z.number().int()])) as Record<
    (typeof DEVICE_UPDATE_STATES)[number],
    z.ZodInt
  >),
  /** The finished devices whose new version has not run without a restart for `observeMinutes` yet. */
  observed: z.number().int(),
})
export type UpdateCounts = z.output<typeof countsByState>

export const clientUpdate = z.object({
  id: z.int32().positive(),
  version: z.string(),
  state: z.enum(ROLLOUT_STATES),
  /** The reason for a state that needs one, such as a halt, in whole words; else empty. */
  stateReason: z.string(),
  /** Some devices ran a newer version, and somebody confirmed the downgrade. */
  isDowngrade: z.boolean(),
  /** Null when it never halts automatically. */
  haltFailurePercent: z.number().nullable(),
  waitMinutes: z.number().int(),
  /** The new version must run this long without a restart on a device before the next wave begins; 0 does not wait. */
  observeMinutes: z.number().int(),
  createdAt: momentValue,
  createdBy: z.string(),
  endedAt: momentValue.nullable(),
  deviceCount: z.number().int(),
  waveCount: z.number().int(),
  /** The number of the newest wave that has begun; 0 before the first. */
  begunWave: z.number().int(),
  /** The expected beginning of the next wave; null while the present one is under way, and after the last. */
  nextWaveAt: momentValue.nullable(),
  counts: countsByState,
})
export type ClientUpdate = z.output<typeof clientUpdate>

export const clientUpdateDetails = clientUpdate.extend({
  waves: z.array(
    z.object({
      number: z.number().int(),
      deviceCount: z.number().int(),
      begunAt: momentValue.nullable(),
      /** The offline ones among the devices that are not done, failed or withdrawn. */
      offlineCount: z.number().int(),
      counts: countsByState,
    }),
  ),
})
export type ClientUpdateDetails = z.output<typeof clientUpdateDetails>

export const listClientUpdates = call({
  method: 'GET',
  path: 'ClientUpdate/GetUpdateList',
  summary: 'Updates of devices, newest first.',
  permission: 'staffAdmin',
  shows: ['Client update'],
  query: z.strictObject({
    /** The number of the first row, from 1; beyond row 10,000 only `next` leads on. */
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(200).optional(),
    next: textValue(200).optional(),
  }),
  answer: z.object({ rows: z.array(clientUpdate), next: z.string().nullable() }),
  errors: ['page_too_deep'],
})

export const deviceClient = z.object({
  /** The version that it last reported; null when it never reported one. */
  version: z.string().nullable(),
  /** The newest release; null when there is none. */
  newestVersion: z.string().nullable(),
  /** The current update or, when there is none, the last one; null when there never was one. */
  update: z
    .object({
      version: z.string(),
      state: updateState,
      reason: z.string(),
      receivedBytes: z.number().int().nullable(),
      bytes: z.number().int(),
      changedAt: momentValue,
      /** The rollout that it belongs to and that is not running; null when it runs, or the caller is not staff. */
      waitsIn: z.object({ updateId: z.number().int(), state: z.enum(['paused', 'halted']) }).nullable(),
    })
    .nullable(),
})
export type DeviceClient = z.output<typeof deviceClient>

export const getDeviceClient = call({
  method: 'GET',
  path: 'Device/GetClientVersion',
  summary: 'The version of the client that a device runs, and how far an update of it is.',
  permission: 'seeDevices',
  shows: ['Device', 'Client update', 'Release'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: deviceClient,
  errors: ['not_found'],
})

const ofUpdate = z.strictObject({ id: z.int32().positive() })

export const getClientUpdate = call({
  method: 'GET',
  path: 'ClientUpdate/GetUpdate',
  summary: 'One update with its waves.',
  permission: 'staffAdmin',
  shows: ['Client update', 'Device'],
  query: ofUpdate,
  answer: clientUpdateDetails,
  errors: ['not_found'],
})

export const updatedDevice = z.object({
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  isOnline: z.boolean(),
  wave: z.number().int(),
  state: updateState,
  /** The reason why it failed or was withdrawn, in whole words; else empty. */
  reason: z.string(),
  /** The downloaded part of `bytes`; null when the device has not reported it. */
  receivedBytes: z.number().int().nullable(),
  bytes: z.number().int(),
  /** The version that the device last reported; null when it never reported one. */
  fromVersion: z.string().nullable(),
  tries: z.number().int(),
  offeredAt: momentValue.nullable(),
  changedAt: momentValue,
  /** The new version of a finished device must run without a restart until then; null when it has. */
  observedUntil: momentValue.nullable(),
})
export type UpdatedDevice = z.output<typeof updatedDevice>

export const listUpdatedDevices = call({
  method: 'GET',
  path: 'ClientUpdate/GetUpdateDevices',
  summary:
    'Devices of an update by wave and name, with the reason for each that is not done, and the update as of the same moment.',
  permission: 'staffAdmin',
  shows: ['Client update', 'Device'],
  query: ofUpdate.extend({
    state: updateState.optional(),
    wave: z.int32().min(1).optional(),
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
    next: textValue(4000).optional(),
  }),
  answer: z.object({ update: clientUpdateDetails, rows: z.array(updatedDevice), next: z.string().nullable() }),
  errors: ['not_found', 'page_too_deep'],
})

/** All of these must match; if there are none, every device does. */
const choice = z.strictObject({
  customerId: customerIdValue.optional(),
  modelId: deviceModelIdValue.optional(),
  deviceIds: deviceIds.min(1).optional(),
})

const plan = {
  releaseId: z.int32().positive(),
  choice,
  /** These devices, or this many of the selected ones; if 0, the rollout begins with the first share. */
  firstGroup: z.union([z.int32().min(0).max(MOST_CHOSEN_DEVICES), deviceIds]).default(0),
  /** The shares of the rest, each including those before it: rising, the last is 100. */
  wavePercents: z.array(z.number().gt(0).max(100)).min(1).max(MOST_WAVES).default([100]),
}

export const updatePreview = z.object({
  chosenCount: z.number().int(),
  /** The number of selected devices that would be updated; the next four are parts of it. */
  updateCount: z.number().int(),
  offlineCount: z.number().int(),
  /** They run a newer version and would go back. */
  downgradeCount: z.number().int(),
  /** They never reported a version. */
  unknownVersionCount: z.number().int(),
  /** They are left out because they run this version already. */
  alreadyThereCount: z.number().int(),
  deactivatedCount: z.number().int(),
  /** They have another update that is not over. */
  beingUpdatedCount: z.number().int(),
  waves: z.array(z.number().int()),
})
export type UpdatePreview = z.output<typeof updatePreview>

export const previewClientUpdate = call({
  method: 'POST',
  path: 'ClientUpdate/PreviewUpdate',
  summary: 'What a choice of devices means. Changes nothing.',
  permission: 'staffAdmin',
  shows: ['Client update', 'Release', 'Device'],
  body: z.strictObject(plan),
  answer: updatePreview,
  errors: ['not_found'],
  largestBodyBytes: 256 * 1024,
})

export const createClientUpdate = call({
  method: 'POST',
  path: 'ClientUpdate/CreateUpdate',
  summary:
    'Update devices in waves. Chosen devices that are deactivated, are being updated or are there already are left out.',
  permission: 'staffAdmin',
  body: z.strictObject({
    ...plan,
    /** The rollout halts when this share of the reached devices has failed. */
    haltFailurePercent: z.number().gt(0).max(100).default(5),
    /** The time from the end of a wave to the beginning of the next. */
    waitMinutes: z.int32().min(0).max(10_080).default(60),
    /** The new version must run this long without a restart on a device before its wave is finished. */
    observeMinutes: z.int32().min(0).max(10_080).default(USUAL_OBSERVE_MINUTES),
    /** Must be true when a device would go back to an older version. */
    downgradeMeant: z.boolean().default(false),
  }),
  answer: clientUpdateDetails,
  errors: ['not_found', 'nothing_to_update', 'downgrade_not_meant'],
  changes: { action: 'Create', entity: 'Client update' },
  largestBodyBytes: 256 * 1024,
  stepUp: 'always',
})

export const leaveOutOfUpdate = call({
  method: 'POST',
  path: 'ClientUpdate/LeaveOutDevice',
  summary: 'Take a device out of an update: it keeps the client that it runs, and another update may have it.',
  permission: 'staffAdmin',
  body: ofUpdate.extend({ deviceId: deviceIdValue }),
  answer: clientUpdateDetails,
  errors: ['not_found', 'device_update_over', 'device_restarting'],
  changes: { action: 'Update', entity: 'Client update' },
})

const act = <const Path extends string>(
  path: Path,
  summary: string,
  errors: readonly ErrorCode[],
  more: Pick<Call, 'stepUp'> = {},
) =>
  call({
    method: 'POST',
    path,
    summary,
    permission: 'staffAdmin',
    body: ofUpdate,
    answer: clientUpdateDetails,
    errors,
    changes: { action: 'Update', entity: 'Client update' },
    ...more,
  })

export const pauseClientUpdate = act(
  'ClientUpdate/PauseUpdate',
  'Take offers back from devices that have not begun, until it is resumed; the others finish.',
  ['not_found', 'update_not_running'],
)
export const resumeClientUpdate = act(
  'ClientUpdate/ResumeUpdate',
  'Go on after a pause or a halt. After a halt, failures until now count no more towards the next.',
  ['not_found', 'update_not_waiting'],
  { stepUp: 'always' },
)
export const stopClientUpdate = act(
  'ClientUpdate/StopUpdate',
  'End it: devices that have not begun will not be updated; the others finish.',
  ['not_found', 'update_ended'],
)
export const retryFailedUpdates = act(
  'ClientUpdate/RetryFailed',
  'Try again where it failed, in the same wave; one that was finished is running again.',
  ['not_found', 'update_stopped', 'release_removed', 'nothing_failed', 'update_open_elsewhere'],
  { stepUp: 'always' },
)
