import type { SelectProps } from '@mantine/core'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import type { listCountries } from '#contract/http/operation/lookups.ts'

/** Typing narrows the rest, because a long list helps nobody and is slow to draw. */
const MOST_OFFERED = 200

/** Every lookup call answers ids and names. */
export type LookupResult = CallResult<typeof listCountries>

export interface PickerProps<Id extends number>
  extends Pick<SelectProps, 'label' | 'description' | 'placeholder' | 'error' | 'withAsterisk' | 'clearable'> {
  readonly value: Id | undefined
  readonly onChange: (value: Id | undefined) => void
  readonly 'data-autofocus'?: boolean
}

interface Props<Id extends number> extends PickerProps<Id> {
  readonly name: string
  readonly lookup: LookupResult
}

/** An id that the lookup does not have is shown as its number, once the lookup is loaded. */
export function LookupPicker<Id extends number>({
  value,
  onChange,
  name,
  lookup,
  label,
  clearable = true,
  ...looks
}: Props<Id>) {
  const choices = (lookup.data ?? []).map((choice) => ({ value: String(choice.id), label: choice.name }))
  const isKnown = value === undefined || choices.some((choice) => choice.value === String(value))
  return (
    <Select
      {...looks}
      {...(label ? { label } : { 'aria-label': name })}
      data={isKnown ? choices : [...choices, { value: String(value), label: unknownName(name, value, lookup) }]}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : (Number(chosen) as Id))}
      searchable
      limit={MOST_OFFERED}
      clearable={clearable}
      allowDeselect={clearable}
      nothingFoundMessage={nothingFound(lookup)}
      maxDropdownHeight={320}
    />
  )
}

/** A number that a name replaces a moment later would flicker. */
const unknownName = (name: string, value: number, { isPending }: Pick<LookupResult, 'isPending'>) =>
  isPending ? 'Loading…' : `${name} ${value}`

function nothingFound({ isPending, isError }: LookupResult): string {
  if (isPending) return 'Loading…'
  return isError ? 'Could not be loaded' : 'Nothing found'
}
