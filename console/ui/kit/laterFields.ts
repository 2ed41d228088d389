import type { AutocompleteProps, SelectProps, TagsInputProps } from '@mantine/core'
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

function labelOf({ data = [], value }: SelectProps): string {
  for (const item of data) {
    if (typeof item === 'string') {
      if (item === value) return item
    } else if ('label' in item && item.value === value) return item.label
  }
  return ''
}
