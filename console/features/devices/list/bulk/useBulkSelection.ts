import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { MOST_COMPARED_DEVICES } from '#contract/http/devices/setup.ts'
import type { DeviceId } from '#domain/ids.ts'

interface ShownDevices {
  readonly rows: readonly Device[]
  readonly batches: (signal: AbortSignal | undefined, batchRows: number) => AsyncGenerator<readonly Device[], void>
}

/** Devices can be selected across pages, up to the number that can be compared at once. */
export function useBulkSelection({ rows, batches }: ShownDevices) {
  const [chosen, setChosen] = useState<ReadonlySet<DeviceId>>()
  const [isLoadingAll, setIsLoadingAll] = useState(false)
  const ids = chosen ?? new Set<DeviceId>()

  const add = (added: readonly DeviceId[]) => setChosen(new Set([...ids, ...added].slice(0, MOST_COMPARED_DEVICES)))

  return {
    isOn: chosen !== undefined,
    ids,
    isFull: ids.size >= MOST_COMPARED_DEVICES,
    start: () => setChosen(new Set()),
    /** It leaves the mode, and with it the selection (rules/devices 11). */
    cancel: () => setChosen(undefined),
    clear: () => setChosen(new Set()),
    addPage: () => add(rows.map(({ id }) => id)),
    toggle: (id: DeviceId) => {
      if (ids.has(id)) setChosen(new Set([...ids].filter((other) => other !== id)))
      else add([id])
    },
    isLoadingAll,
    addAll: async () => {
      setIsLoadingAll(true)
      try {
        const { value } = await batches(undefined, MOST_COMPARED_DEVICES).next()
        add((value ?? []).map(({ id }) => id))
      } catch (failure) {
        toasts.failure(failure)
      } finally {
        setIsLoadingAll(false)
      }
    },
  }
}
export type BulkSelection = ReturnType<typeof useBulkSelection>
