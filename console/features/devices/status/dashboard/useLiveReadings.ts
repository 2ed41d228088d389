import { useState } from 'react'
import { useLiveState } from '#console/lib/live/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type LiveReadings, withLiveState } from './tiles/tiles.ts'

/** It collects what the device has reported since this was mounted. Mount it again (`key`) for another device. */
export function useLiveReadings(deviceId: DeviceId): LiveReadings {
  const [readings, setReadings] = useState<LiveReadings>(() => new Map())
  useLiveState(deviceId, (event) => setReadings((known) => withLiveState(known, event)))
  return readings
}
