import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Select } from '#console/ui/kit/laterFields.ts'
import type { PickerProps } from './LookupPicker.tsx'

/** The delay is long enough to type on and short enough to feel immediate. */
const QUIET_MS = 250
export const MOST_FOUND = 20

interface Searching {
  readonly search: string
  readonly isOpen: boolean
  readonly setTyped: (text: string) => void
  readonly setIsOpen: (isOpen: boolean) => void
  readonly typed: string
  readonly chosenName: string
}

/** @param chosenName stands in the field while something is chosen, and is not a search text */
export function useSearching(chosenName: string): Searching {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [search] = useDebouncedValue(typed === chosenName ? '' : typed.trim(), QUIET_MS)
  return { search, isOpen, setTyped, setIsOpen, typed, chosenName }
}

interface Found<Row> {
  readonly data: readonly Row[] | { readonly rows: readonly Row[] } | undefined
}

export function foundRows<Row>({ data }: Found<Row>): readonly Row[] {
  if (data === undefined) return []
  return 'rows' in data ? data.rows : data
}

interface Props<Id extends number> extends PickerProps<Id> {
  readonly name: string
  readonly searching: Searching
  readonly found: { readonly isError: boolean; readonly isFetching: boolean }
  readonly choices: readonly { readonly id: Id; readonly name: string }[]
}

/** It searches on the server while somebody types, because a fleet or all users are never loaded whole. */
export function SearchPicker<Id extends number>(picker: Props<Id>) {
  const { value, onChange, label, name, searching, found, choices, ...looks } = picker
  const data = choices.map((choice) => ({ value: String(choice.id), label: choice.name }))
  const isListed = value === undefined || choices.some(({ id }) => id === value)
  return (
    <Select
      {...looks}
      {...(label ? { label } : { 'aria-label': name })}
      data={isListed ? data : [{ value: String(value), label: searching.chosenName }, ...data]}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : (Number(id) as Id))}
      searchable
      searchValue={searching.typed}
      onSearchChange={searching.setTyped}
      // The server has already filtered the options.
      filter={({ options }) => options}
      onDropdownOpen={() => searching.setIsOpen(true)}
      onDropdownClose={() => searching.setIsOpen(false)}
      nothingFoundMessage={found.isError ? 'Could not be loaded' : found.isFetching ? 'Loading…' : 'Nothing found'}
      maxDropdownHeight={260}
    />
  )
}
