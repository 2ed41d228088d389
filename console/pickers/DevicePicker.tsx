import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { PickerProps } from './LookupPicker.tsx'

/** The delay is long enough to type on and short enough to feel immediate. */
const QUIET_MS = 250
const MOST_OFFERED = 20

/** A device is searched by a part of its name, because a fleet is never loaded whole. */
export function DevicePicker({
  value,
  onChange,
  label,
  ...looks
}: PickerProps<DeviceId> & { readonly clearable?: boolean }) {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const chosen = useCall(getDeviceById, { id: value as DeviceId }, { enabled: value !== undefined, freshMs: 60_000 })
  const chosenName =
    value === undefined ? '' : (chosen.data?.name ?? (chosen.isPending ? 'Loading…' : `Device ${value}`))
  // The name of the chosen device in the field is not a search text.
  const [search] = useDebouncedValue(typed === chosenName ? '' : typed.trim(), QUIET_MS)
  const found = useCall(
    listDevices,
    { pageSize: MOST_OFFERED, sort: 'name', ...(search ? { search } : {}) },
    { enabled: isOpen, keepsPrevious: true },
  )
  const page = found.data
  const rows = page === undefined ? [] : Array.isArray(page) ? page : page.rows
  const choices = rows.map(({ id, name }) => ({ value: String(id), label: name }))
  const isListed = value === undefined || choices.some((choice) => choice.value === String(value))
  return (
    <Select
      {...looks}
      {...(label ? { label } : { 'aria-label': 'Device' })}
      placeholder={looks.placeholder ?? 'Search devices'}
      data={isListed ? choices : [{ value: String(value), label: chosenName }, ...choices]}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : (Number(id) as DeviceId))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has already filtered the options.
      filter={({ options }) => options}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      nothingFoundMessage={found.isError ? 'Could not be loaded' : found.isFetching ? 'Loading…' : 'Nothing found'}
      maxDropdownHeight={260}
    />
  )
}
