import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import type { TurnOffTimes } from '#contract/http/devices/setup.ts'
import { isDarkAllDay } from '#domain/displays/offTimes.ts'
import { OFF_GROUPS } from './offGroups.ts'
import '#console/ui/form/controls.css'

type OffGroup = (typeof OFF_GROUPS)[number]

interface OffTimesFieldsProps {
  readonly values: Partial<TurnOffTimes>
  readonly errors: Partial<Record<keyof TurnOffTimes, string>>
  readonly onChange: (changes: Partial<TurnOffTimes>) => void
  readonly besides?: (group: OffGroup) => ReactNode
}

/** Workdays, weekends and holidays each have a from and a to, and a Clear for both (rules/setup 9). */
export function OffTimesFields({ values, errors, onChange, besides }: OffTimesFieldsProps) {
  return OFF_GROUPS.map((group) => {
    const { name, from, to } = group
    // One time without the other is no group, so the first change names both.
    const change = (key: keyof TurnOffTimes, time: string | null) =>
      onChange({ [from]: values[from] ?? null, [to]: values[to] ?? null, [key]: time })
    return (
      <fieldset key={name} className="off-group">
        <legend>{name}</legend>
        <TimeField
          label="From"
          name={`${name}: From`}
          value={values[from] ?? null}
          error={errors[from]}
          onChange={(time) => change(from, time)}
        />
        <TimeField
          label="To"
          name={`${name}: To`}
          value={values[to] ?? null}
          error={errors[to]}
          onChange={(time) => change(to, time)}
        />
        <Button variant="default" aria-label={`Clear ${name}`} onClick={() => onChange({ [from]: null, [to]: null })}>
          Clear
        </Button>
        {isDarkAllDay(values[from], values[to]) && errors[from] === undefined && (
          <p className="off-group-note" role="note" aria-live="polite">
            Dark 24 h: from {values[from]} until {values[to]} the next day.
          </p>
        )}
        {besides?.(group)}
      </fieldset>
    )
  })
}
