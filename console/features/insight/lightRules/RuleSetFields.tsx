import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import type { CallForm } from '#console/lib/form/useCallForm.ts'
import { CountryCodePicker } from '#console/pickers/CountryCodePicker.tsx'
import { DayField } from '#console/ui/form/DayField.tsx'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import type { LightRule } from '#domain/lightRules/ruleSet.ts'
import { ruleText } from '#domain/lightRules/ruleText.ts'
import { WEEKDAY_NAMES } from '#domain/maintenanceWindows/scheduleLabels.ts'
import type { RuleSetValues } from './ruleSetValues.ts'

const HOLIDAYS = [
  { value: 'too', label: 'As on other days' },
  { value: 'never', label: 'Free' },
  { value: 'only', label: 'Only on holidays' },
]

interface Props {
  readonly form: Pick<CallForm<RuleSetValues>, 'field' | 'values' | 'set' | 'errors'>
  /** Rules that stay as they are. */
  readonly keptRules?: readonly LightRule[]
}

/** A set of the organisation has one rule here; more are for the API. */
export function RuleSetFields({ form: { field, values, set, errors }, keptRules = [] }: Props) {
  return (
    <>
      <TextInput {...field('name')} withAsterisk data-autofocus />
      <CountryCodePicker
        description="Devices of the country, by their position. Empty: everywhere"
        value={values.country}
        onChange={(country) => set({ country })}
      />
      {keptRules.length > 0 ? (
        <p className="dialog-text">{keptRules.map(ruleText).join('; ')}. Several rules are changed by the API.</p>
      ) : (
        <HoursFields form={{ field, values, set }} />
      )}
      <TextInput {...field('except')} description="Free nights, such as 12-24, 2026-12-31" />
      <Group grow align="start">
        <DayField
          label="Valid from"
          placeholder="Always"
          value={values.validFrom}
          error={errors.validFrom}
          onChange={(validFrom) => set({ validFrom })}
        />
        <DayField
          label="Valid until"
          placeholder="No end"
          value={values.validUntil}
          error={errors.validUntil}
          onChange={(validUntil) => set({ validUntil })}
        />
      </Group>
      <TextInput {...field('source')} description="The law, permit or contract" />
    </>
  )
}

function HoursFields({ form: { field, values, set } }: { readonly form: Omit<Props['form'], 'errors'> }) {
  return (
    <>
      <Group grow align="start">
        <TimeField label="From" name="From" value={values.from} onChange={(from) => set({ from: from ?? '' })} />
        <TimeField label="To" name="To" value={values.to} onChange={(to) => set({ to: to ?? '' })} />
      </Group>
      <Checkbox.Group label="Days" value={values.days} onChange={(days) => set({ days })}>
        <Group gap="sm">
          {WEEKDAY_NAMES.map((name, day) => (
            <Checkbox key={name} value={String(day)} label={name} size="xs" />
          ))}
        </Group>
      </Checkbox.Group>
      <Select {...field('onHolidays')} data={HOLIDAYS} allowDeselect={false} />
      <Group grow align="start">
        <TextInput {...field('level')} inputMode="numeric" description="0 is dark" />
        <TextInput {...field('lux')} inputMode="numeric" description="Empty: whatever the light" />
      </Group>
    </>
  )
}
