import { useState } from 'react'
import { send } from '#console/lib/api.ts'
import { toasts } from '#console/lib/toasts.ts'
import { type Device, listDevices } from '#contract/http/device.ts'
import { MOST_COMPARED_DEVICES } from '#contract/http/deviceSettings.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type DeviceListAddress, filterOf, sortOf } from './deviceListAddress.ts'

/** Devices chosen for one change of all of them: across pages, and at most as many as can be compared at once. */
export function useBulkSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<DeviceId>>()
  const [isLoadingAll, setIsLoadingAll] = useState(false)
  const ids = chosen ?? new Set<DeviceId>()

  const add = (added: readonly DeviceId[]) => setChosen(new Set([...ids, ...added].slice(0, MOST_COMPARED_DEVICES)))

  return {
    /** Whether devices are being chosen at all. */
    isOn: chosen !== undefined,
    ids,
    isFull: ids.size >= MOST_COMPARED_DEVICES,
    start: () => setChosen(new Set()),
    /** Leaves the mode, and with it the choice (P1 §4 "Update client mode"). */
    cancel: () => setChosen(undefined),
    clear: () => setChosen(new Set()),
    add,
    toggle: (id: DeviceId) => {
      if (ids.has(id)) setChosen(new Set([...ids].filter((other) => other !== id)))
      else add([id])
    },
    isLoadingAll,
    /** Everything that the filter shows, in its order, as far as the limit reaches. */
    addAll: async (address: DeviceListAddress) => {
      setIsLoadingAll(true)
      try {
        add(await readIds(address))
      } catch (failure) {
        toasts.failure(failure)
      } finally {
        setIsLoadingAll(false)
      }
    },
  }
}
export type BulkSelection = ReturnType<typeof useBulkSelection>

async function readIds(address: DeviceListAddress): Promise<readonly DeviceId[]> {
  const { column, descending } = sortOf(address)
  const query = { ...filterOf(address), sort: column, descending, pageSize: MOST_COMPARED_DEVICES, rowNum: 1 }
  const answer = await send(listDevices, { query })
  const rows: readonly Device[] = Array.isArray(answer) ? answer : answer.rows
  return rows.map(({ id }) => id)
}
