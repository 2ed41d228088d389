import type { TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { TagsInput } from '#console/ui/kit/laterFields.ts'
import { listDeviceTags } from '#contract/http/devices/details.ts'
import { distinctTags, isTag, LONGEST_TAG, MOST_TAGS, tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

const QUIET_MS = 200

interface Props
  extends Pick<TagsInputProps, 'label' | 'description' | 'placeholder' | 'error' | 'className' | 'acceptValueOnBlur'> {
  readonly value: readonly string[]
  readonly onChange: (tags: string[]) => void
  /** Only the tags of this customer are offered; without one, all that the user may see. */
  readonly customerId?: CustomerId | undefined
  readonly offered?: readonly string[]
}

/** Tags can be typed, and those in use are offered; they are requested when somebody opens the field. */
export function TagsPicker({ value, onChange, customerId, offered, label, placeholder, ...looks }: Props) {
  const [typed, setTyped] = useState('')
  const [isReached, setIsReached] = useState(false)
  const [search] = useDebouncedValue(typed.trim(), QUIET_MS)
  const used = useCall(
    listDeviceTags,
    { ...(customerId === undefined ? {} : { customerId }), ...(search === '' ? {} : { search }) },
    { enabled: isReached && offered === undefined, keepsPrevious: true, freshMs: LOOKUP_FRESH_MS },
  )
  return (
    <TagsInput
      {...looks}
      size="xs"
      // A narrow field needs room to type beside its first tag.
      styles={{ inputField: { minWidth: 32 } }}
      {...(label ? { label } : { 'aria-label': 'Tags' })}
      {...(value.length === 0 && placeholder ? { placeholder } : {})}
      data={offered ? [...offered] : (used.data ?? []).map(({ tag }) => tag)}
      // The server already filtered them, and matches more letters than a comparison here would.
      {...(offered ? {} : { filter: ({ options }) => options })}
      value={[...value]}
      onChange={(tags) => onChange(distinctTags(tags.filter(isTag)))}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={() => setIsReached(true)}
      isDuplicate={(tag, present) => present.some((one) => tagKey(one) === tagKey(tag))}
      maxTags={MOST_TAGS}
      maxLength={LONGEST_TAG}
      maxDropdownHeight={320}
    />
  )
}
