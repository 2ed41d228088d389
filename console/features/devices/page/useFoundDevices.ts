import { useDebouncedValue } from '@mantine/hooks'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { getDevice, listDevices } from '#contract/http/devices/devices.ts'
import { type FoundDevice, foundDevices } from './foundDevices.ts'
import { useViewedDevices } from './useViewHistory.ts'

const QUIET_MS = 250
const MOST_OFFERED = 20

const NOTHING: FoundDevices = { found: [], isSearching: false, hasFailed: false }

export interface FoundDevices {
  readonly found: readonly FoundDevice[]
  readonly isSearching: boolean
  readonly hasFailed: boolean
}

/** Devices opened in this browser appear at once, then those that the server finds. */
export function useFoundDevices(typed: string): FoundDevices {
  const mayOpen = useMay(getDevice.permission)
  const recent = useViewedDevices()
  const wanted = typed.trim()
  const [search] = useDebouncedValue(wanted, QUIET_MS)
  const fleet = useCall(
    listDevices,
    { pageSize: MOST_OFFERED, sort: 'name', search },
    { enabled: mayOpen && search !== '', keepsPrevious: true },
  )
  if (!mayOpen) return NOTHING
  const rows = search === '' || fleet.data === undefined ? [] : 'rows' in fleet.data ? fleet.data.rows : fleet.data
  return {
    found: foundDevices(typed, recent, rows, search === wanted && !fleet.isPlaceholderData),
    isSearching: wanted !== '' && (fleet.isFetching || wanted !== search),
    hasFailed: fleet.isError,
  }
}
