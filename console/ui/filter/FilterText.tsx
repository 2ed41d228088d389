import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { LONGEST_TEXT } from '#console/router/addressFields.ts'
import type { Way } from '#console/router/Router.tsx'

/** The delay is long enough to type on and short enough to feel immediate. */
const QUIET_MS = 300

interface Props extends Pick<TextInputProps, 'placeholder' | 'leftSection' | 'className'> {
  readonly name: string
  readonly value: string
  /** A text that is still being typed is one step of the history, not one for each pause. */
  readonly onChange: (value: string, way: Way) => void
}

/** The text is reported after a pause in typing, or at once by Enter or on leaving the field. */
export function FilterText({ name, value, onChange, ...looks }: Props) {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  const [reported, setReported] = useState(value)
  const reportLater = useDebouncedCallback((text: string) => report(text), QUIET_MS)

  if (value !== seen) {
    setSeen(value)
    // Back, Reset or a link changed the filter. The own change coming back must not undo what was typed since.
    if (value !== reported) {
      setReported(value)
      setDraft(value)
    }
  }

  function report(text: string) {
    reportLater.cancel()
    const trimmed = text.trim()
    if (trimmed === reported) return
    setReported(trimmed)
    onChange(trimmed, { replace: value !== '' && trimmed !== '' })
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
        reportLater(currentTarget.value)
      }}
      onBlur={() => report(draft)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') report(draft)
      }}
    />
  )
}
