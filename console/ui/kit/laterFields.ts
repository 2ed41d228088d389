import type { AutocompleteProps, NumberInputProps, SelectProps, TagsInputProps } from '@mantine/core'
import { formatNumber } from '#domain/units/numbers.ts'
import { laterField } from './laterField.tsx'

const over = () => import('./overPage.ts').then(({ OVER_PAGE }) => OVER_PAGE)

export const Select = laterField<SelectProps>(() => over().then((parts) => parts.Select), {
  textOf: labelOf,
  hasList: true,
})
export const TagsInput = laterField<TagsInputProps>(() => over().then((parts) => parts.TagsInput), {
  textOf: ({ value = [] }) => value.join(', '),
  hasList: false,
})
export const Autocomplete = laterField<AutocompleteProps>(() => over().then((parts) => parts.Autocomplete), {
  textOf: ({ value = '' }) => value,
  hasList: false,
})
export const NumberInput = laterField<NumberInputProps>(
  () => import('./overNumber.ts').then(({ OVER_NUMBER }) => OVER_NUMBER.NumberInput),
  { textOf: numberOf, hasList: false },
)

function numberOf({ value = '', suffix = '', thousandSeparator }: NumberInputProps): string {
  if (value === '') return ''
  return `${thousandSeparator ? formatNumber(Number(value)) : value}${suffix}`
}

function labelOf({ data = [], value }: SelectProps): string {
  for (const item of data) {
    if (typeof item === 'string') {
      if (item === value) return item
    } else if ('label' in item && item.value === value) return item.label
  }
  return ''
}
