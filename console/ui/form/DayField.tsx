import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { ReactNode } from 'react'
import type { LocalDate } from '#domain/units/wallClock.ts'

interface Props {
  readonly label: string
  readonly placeholder?: string
  /** null means no day. */
  readonly value: LocalDate | null
  readonly error?: ReactNode
  readonly onChange: (day: LocalDate | null) => void
}

export function DayField({ label, placeholder, value, error, onChange }: Props) {
  return (
    <DateInput
      size="xs"
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      valueFormat="DD.MM.YY"
      firstDayOfWeek={1}
      weekendDays={[]}
      hideOutsideDates
      clearable={placeholder !== undefined}
      clearButtonProps={{ 'aria-label': `Clear ${label}`, tabIndex: 0 }}
      ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
      value={value}
      error={error}
      onChange={(day) => onChange(day)}
    />
  )
}
