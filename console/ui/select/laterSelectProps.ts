import type { SelectProps } from '@mantine/core'

interface Choice {
  readonly value: string
  readonly label: string
}

export interface LaterSelectProps
  extends Pick<
    SelectProps,
    'placeholder' | 'searchable' | 'limit' | 'clearable' | 'allowDeselect' | 'maxDropdownHeight'
  > {
  readonly 'aria-label': string
  readonly data: readonly Choice[]
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly nothingFoundMessage?: string
}

/** How somebody has come to a field whose list was not there yet. */
export interface Reached {
  /** The list is wanted: by a click, or by a key. */
  readonly isOpen: boolean
  readonly typed: string
}
