import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { LONGEST_TEXT } from '#console/router/addressFields.ts'

/** The delay is long enough to type on and short enough to feel immediate. */
const QUIET_MS = 300

interface Props extends Pick<TextInputProps, 'placeholder' | 'leftSection' | 'className'> {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The text is reported after a pause in typing, or at once by Enter or on leaving the field. */
export function FilterText({ name, value, onChange, ...looks }: Props) {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  const [told, setTold] = useState(value)
  const tellLater = useDebouncedCallback((text: string) => tell(text), QUIET_MS)

  if (value !== seen) {
    setSeen(value)
    // Back, Reset or a link changed the filter. The own change coming back must not undo what was typed since.
    if (value !== told) {
      setTold(value)
      setDraft(value)
    }
  }

  function tell(text: string) {
    tellLater.cancel()
    const trimmed = text.trim()
    if (trimmed === told) return
    setTold(trimmed)
    onChange(trimmed)
  }

  return (
    <TextInput
      {...looks}
      aria-label={name}
      placeholder={looks.placeholder ?? name}
      maxLength={LONGEST_TEXT}
      value={draft}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value)
        tellLater(currentTarget.value)
      }}
      onBlur={() => tell(draft)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') tell(draft)
      }}
    />
  )
}
