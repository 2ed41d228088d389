import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { listUsers } from '#contract/http/people/users.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { PickerProps } from './LookupPicker.tsx'
import { foundRows, MOST_FOUND, SearchPicker, useSearching } from './SearchPicker.tsx'

interface Props extends PickerProps<UserId> {
  /** Only users who may handle the alerts of this device are offered. */
  readonly deviceId?: DeviceId
  readonly chosenName?: string | undefined
}

export function UserPicker({ value, onChange, chosenName, deviceId, ...picker }: Props) {
  const [picked, setPicked] = useState<{ readonly id: UserId; readonly name: string }>()
  const name = picked?.id === value ? picked?.name : chosenName
  const searching = useSearching(value === undefined ? '' : (name ?? `User ${value}`))
  const { search, isOpen } = searching
  const found = useCall(
    listUsers,
    {
      rowNum: 1,
      pageSize: MOST_FOUND,
      sort: 'username',
      ...(search ? { email: search } : {}),
      ...(deviceId === undefined ? {} : { deviceId }),
    },
    { enabled: isOpen, keepsPrevious: true },
  )
  const choices = foundRows(found).map(({ id, username }) => ({ id, name: username }))
  return (
    <SearchPicker
      name="User"
      placeholder="Search by username"
      value={value}
      onChange={(id) => {
        setPicked(choices.find((choice) => choice.id === id))
        onChange(id)
      }}
      {...picker}
      {...{ searching, found, choices }}
    />
  )
}
