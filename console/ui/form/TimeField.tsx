import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { readLocalTime } from '#console/lib/time/localTime.ts'

interface TimeFieldProps {
  readonly label: string
  /** Screen readers need it, because they do not show what the field stands beside. */
  readonly name: string
  /** It is `HH:mm`, or an unfinished text while it is typed; null means no time. */
  readonly value: string | null
  readonly error?: ReactNode
  readonly onChange: (value: string | null) => void
}

/**
 * The field always has 24 hours: a browser's own time field follows the language of the browser, and 10:30 PM beside
 * 22:30 in the next window is read wrong at night. Leaving the field brings the text to `HH:mm`.
 */
export function TimeField({ label, name, value, error, onChange }: TimeFieldProps) {
  const leave = () => {
    const time = readLocalTime(value ?? '')
    if (time !== undefined && time !== value) onChange(time)
  }
  return (
    <TextInput
      label={label}
      aria-label={name}
      placeholder="HH:mm"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      value={value ?? ''}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave()
      }}
    />
  )
}
