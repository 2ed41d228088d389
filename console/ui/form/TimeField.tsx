import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { readLocalTime } from '#console/lib/time/localTime.ts'

interface TimeFieldProps {
  readonly label: string
  /** Said to who cannot see what the field stands beside. */
  readonly name: string
  /** `HH:mm`, or what is being typed and is no time yet; null: none. */
  readonly value: string | null
  readonly error?: ReactNode
  readonly onChange: (value: string | null) => void
}

/**
 * A time on the wall, always of 24 hours: a browser's own time field follows the language of the browser, and 10:30 PM
 * beside 22:30 in the next window is read wrong at night. It is brought to `HH:mm` when it is left.
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
