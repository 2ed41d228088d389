import { Select } from '@mantine/core'
import type { LaterSelectProps, Reached } from './laterSelectProps.ts'

/** The focus is where it was: in the field that this one replaces. */
export function ReachedSelect({ reached, data, ...props }: LaterSelectProps & { readonly reached: Reached }) {
  return (
    <Select
      {...props}
      data={[...data]}
      defaultDropdownOpened={reached.isOpen}
      {...(reached.typed !== '' && { defaultSearchValue: reached.typed })}
      autoFocus
    />
  )
}
