import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { listUsers } from '#contract/http/people/users.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { PickerProps } from './LookupPicker.tsx'

/** The delay is long enough to type on and short enough to feel immediate. */
const QUIET_MS = 250
const MOST_OFFERED = 20

interface Props extends PickerProps<UserId> {
  readonly clearable?: boolean
  /** Only users who may handle the alerts of this device are offered. */
  readonly deviceId?: DeviceId
  readonly chosenName?: string | undefined
}

/** A user is searched by username on demand, because all of them are never loaded. */
export function UserPicker({ value, onChange, label, chosenName, deviceId, ...looks }: Props) {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [picked, setPicked] = useState<{ readonly id: UserId; readonly name: string }>()
  const name = picked?.id === value ? picked?.name : chosenName
  const shownName = value === undefined ? '' : (name ?? `User ${value}`)
  // The name of the chosen user in the field is not a search text.
  const [search] = useDebouncedValue(typed === shownName ? '' : typed.trim(), QUIET_MS)
  const found = useCall(
    listUsers,
    {
      rowNum: 1,
      pageSize: MOST_OFFERED,
      sort: 'username',
      ...(search ? { email: search } : {}),
      ...(deviceId === undefined ? {} : { deviceId }),
    },
    { enabled: isOpen, keepsPrevious: true },
  )
  const page = found.data
  const rows = page === undefined ? [] : Array.isArray(page) ? page : page.rows
  const choices = rows.map(({ id, username }) => ({ value: String(id), label: username }))
  const isListed = value === undefined || choices.some((choice) => choice.value === String(value))
  const choose = (id: string | null) => {
    const user = rows.find((row) => String(row.id) === id)
    setPicked(user && { id: user.id, name: user.username })
    onChange(id === null ? undefined : (Number(id) as UserId))
  }
  return (
    <Select
      {...looks}
      {...(label ? { label } : { 'aria-label': 'User' })}
      placeholder={looks.placeholder ?? 'Search by username'}
      data={isListed ? choices : [{ value: String(value), label: shownName }, ...choices]}
      value={value === undefined ? null : String(value)}
      onChange={choose}
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
