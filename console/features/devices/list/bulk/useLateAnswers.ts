import { useEffect } from 'react'
import { send } from '#console/lib/call/api.ts'
import { compareDeviceSettings } from '#contract/http/devices/setup.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { BulkStanding } from './bulkLabels.ts'
import type { BulkChange, ComparedDevice, Comparison } from './bulkSettings.ts'
import type { BulkResult } from './sendChange.ts'

const LOOK_EVERY_MS = 3000

export interface SentSettings {
  readonly change: BulkChange
  readonly targets: readonly Comparison[]
}

/** It reads them again until each has answered: a wrong count would contradict the device's page. */
export function useLateAnswers(
  standings: ReadonlyMap<DeviceId, BulkStanding>,
  sent: SentSettings | undefined,
  onAnswer: (id: DeviceId, result: BulkResult) => void,
): void {
  const ids = [...standings].filter(([, { kind }]) => kind === 'unanswered').map(([id]) => id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is looked at is all that it depends on
  useEffect(() => {
    if (sent === undefined || ids.length === 0) return
    const timer = setInterval(async () => {
      // A failed read says nothing about the devices, and the next one comes soon.
      const devices = await send(compareDeviceSettings, { body: { deviceIds: ids } }).catch(() => [])
      for (const device of devices) {
        const result = resultNow(sent, device)
        if (result) onAnswer(device.deviceId, result)
      }
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [sent, ids.join()])
}

/** It returns undefined while a display or sensor that was set has not answered. */
function resultNow({ change, targets }: SentSettings, { deviceId, sections }: ComparedDevice): BulkResult | undefined {
  const numbers = targets.find(({ device }) => device.deviceId === deviceId)?.numbers ?? []
  const set = sections.filter(({ section, number }) => section === change.kind && numbers.includes(number))
  if (set.some(({ reason }) => reason === 'waiting' || reason === 'offline')) return undefined
  const errors = set.flatMap(({ refusal }) => refusal?.errors ?? [])
  return errors.length > 0 ? { kind: 'failed', errors } : { kind: 'applied' }
}
