import { type SelectProps, TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { type ComponentType, useEffect, useState } from 'react'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { whenQuiet } from './whenQuiet.ts'

const KitSelect = lazyPart(() => import('./overPage.ts').then((over) => over.Select as ComponentType<SelectProps>))

/** It is loaded with its list after the page's first answers, or when somebody reaches for it. */
export function Select(props: SelectProps) {
  const [isHere, reach] = useFirstUse(KitSelect)
  const [reached, setReached] = useState<'field' | 'list'>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once
  useEffect(() => (isHere ? undefined : whenQuiet(() => void reach())), [])
  if (isHere)
    return <KitSelect {...props} autoFocus={reached !== undefined} defaultDropdownOpened={reached === 'list'} />
  return (
    <TextInput
      {...looksOf(props)}
      value={labelOf(props)}
      readOnly
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      rightSection={<IconSelector size={14} aria-hidden />}
      rightSectionPointerEvents="none"
      onFocus={() => {
        setReached('field')
        void reach()
      }}
      onClick={() => setReached('list')}
      onBlur={() => setReached(undefined)}
    />
  )
}

function looksOf({ label, description, placeholder, error, ...props }: SelectProps) {
  const { withAsterisk, disabled, className, size, w, leftSection, 'aria-label': name } = props
  const looks = { label, description, placeholder, error, withAsterisk, disabled, className, size, w, leftSection }
  const given = Object.entries({ ...looks, 'aria-label': name }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

function labelOf({ data = [], value }: SelectProps): string {
  for (const item of data) {
    if (typeof item === 'string' ? item === value : 'value' in item && item.value === value)
      return typeof item === 'string' ? item : (item as { readonly label: string }).label
  }
  return ''
}
