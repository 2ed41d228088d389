import {
  type ClientUpdateDetails,
  clientUpdateDetails,
  type UpdateCounts,
  type UpdatedDevice,
  updatedDevice,
} from '#contract/http/software/rollouts.ts'
import { DEVICE_UPDATE_STATES } from '#domain/rollouts/states.ts'

export function countsOf(changes: Partial<UpdateCounts> = {}): UpdateCounts {
  const none = Object.fromEntries(DEVICE_UPDATE_STATES.map((state) => [state, 0])) as Omit<UpdateCounts, 'observed'>
  return { ...none, observed: 0, ...changes }
}

/** It builds a rollout to 40 devices in two waves, the first of which has begun, with `changes`. */
export function clientUpdateOf(changes: Readonly<Record<string, unknown>> = {}): ClientUpdateDetails {
  return clientUpdateDetails.parse({
    id: 7,
    version: '1.2.3',
    state: 'running',
    stateReason: '',
    isDowngrade: false,
    haltFailurePercent: 5,
    waitMinutes: 60,
    observeMinutes: 30,
    createdAt: '2026-11-20T10:00:00.000Z',
    createdBy: 'eva@example.com',
    endedAt: null,
    deviceCount: 40,
    waveCount: 2,
    begunWave: 1,
    nextWaveAt: null,
    counts: countsOf({ done: 2, downloading: 1, failed: 1, waiting: 36 }),
    waves: [
      {
        number: 1,
        deviceCount: 4,
        begunAt: '2026-11-20T10:00:01.000Z',
        offlineCount: 1,
        counts: countsOf({ done: 2, downloading: 1, failed: 1 }),
      },
      { number: 2, deviceCount: 36, begunAt: null, offlineCount: 0, counts: countsOf({ waiting: 36 }) },
    ],
    ...changes,
  })
}

export function updatedDeviceOf(changes: Readonly<Record<string, unknown>> = {}): UpdatedDevice {
  return updatedDevice.parse({
    deviceId: 1,
    deviceGuid: '00000000-0000-4000-8000-000000000001',
    deviceName: 'Praha 0001',
    isOnline: true,
    wave: 1,
    state: 'downloading',
    reason: '',
    receivedBytes: 500_000,
    bytes: 1_000_000,
    fromVersion: '1.2.2',
    tries: 1,
    offeredAt: '2026-11-20T10:00:02.000Z',
    changedAt: new Date(Date.now() - 5_000).toISOString(),
    observedUntil: null,
    ...changes,
  })
}
