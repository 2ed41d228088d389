import { useCall } from '#console/lib/call/useCall.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { PickerProps } from './LookupPicker.tsx'
import { foundRows, MOST_FOUND, SearchPicker, useSearching } from './SearchPicker.tsx'

export function DevicePicker({ value, ...picker }: PickerProps<DeviceId>) {
  const chosen = useCall(getDeviceById, { id: value as DeviceId }, { enabled: value !== undefined, freshMs: 60_000 })
  const searching = useSearching(
    value === undefined ? '' : (chosen.data?.name ?? (chosen.isPending ? 'Loading…' : `Device ${value}`)),
  )
  const { search, isOpen } = searching
  const found = useCall(
    listDevices,
    { pageSize: MOST_FOUND, sort: 'name', ...(search ? { search } : {}) },
    { enabled: isOpen, keepsPrevious: true },
  )
  return (
    <SearchPicker
      name="Device"
      placeholder="Search devices"
      value={value}
      {...picker}
      {...{ searching, found }}
      choices={foundRows(found)}
    />
  )
}
