import { Button, TextInput } from '@mantine/core'
import { OFF_GROUPS } from '#console/lib/offGroups.ts'
import type { TurnOffTimes } from '#contract/http/deviceSettings.ts'
import './controls.css'

interface OffTimesFieldsProps {
  readonly values: TurnOffTimes
  readonly errors: Partial<Record<keyof TurnOffTimes, string>>
  readonly onChange: (changes: Partial<TurnOffTimes>) => void
}

/** From and to of workdays, weekends and holidays, each group with its Clear (P2 §5). */
export function OffTimesFields({ values, errors, onChange }: OffTimesFieldsProps) {
  const change = (key: keyof TurnOffTimes, typed: string) => onChange({ [key]: typed === '' ? null : typed })
  return OFF_GROUPS.map(({ name, from, to }) => (
    <fieldset key={name} className="off-group">
      <legend>{name}</legend>
      <TextInput
        type="time"
        label="From"
        aria-label={`${name}: From`}
        value={values[from] ?? ''}
        error={errors[from]}
        onChange={(event) => change(from, event.currentTarget.value)}
      />
      <TextInput
        type="time"
        label="To"
        aria-label={`${name}: To`}
        value={values[to] ?? ''}
        error={errors[to]}
        onChange={(event) => change(to, event.currentTarget.value)}
      />
      <Button variant="default" aria-label={`Clear ${name}`} onClick={() => onChange({ [from]: null, [to]: null })}>
        Clear
      </Button>
    </fieldset>
  ))
}
