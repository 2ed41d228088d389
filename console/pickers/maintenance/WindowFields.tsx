import { Checkbox, Group, SegmentedControl, TextInput } from '@mantine/core'
import { DayField } from '#console/ui/form/DayField.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { WEEKDAY_NAMES } from '#domain/maintenanceWindows/scheduleLabels.ts'
import { LONGEST_REASON } from '#domain/maintenanceWindows/scheduleRules.ts'
import { formatHours } from '#domain/units/durations.ts'
import { TimeZonePicker } from '../TimeZonePicker.tsx'
import type { WindowValues, windowErrors } from './windowValues.ts'

interface Props {
  readonly values: WindowValues
  readonly errors: ReturnType<typeof windowErrors>
  readonly onChange: (changes: Partial<WindowValues>) => void
  /** A window that has begun keeps its start and its kind. */
  readonly hasBegun?: boolean
}

export function ScheduleFields(props: Props) {
  const { values, onChange, hasBegun = false } = props
  return (
    <>
      <SegmentedControl
        aria-label="How often"
        data={[
          { value: 'once', label: 'One time' },
          { value: 'weekly', label: 'Weekly' },
        ]}
        value={values.kind}
        disabled={hasBegun}
        onChange={(kind) => onChange({ kind: kind as WindowValues['kind'] })}
      />
      {values.kind === 'once' ? <OneTimeFields {...props} /> : <WeeklyFields {...props} />}
    </>
  )
}

function OneTimeFields({ values, errors, onChange, hasBegun = false }: Props) {
  return (
    <Group grow align="flex-start">
      {!hasBegun && (
        <MomentField
          label="From"
          name="From"
          value={values.from}
          onChange={(from) => onChange({ from })}
          isClearable
          leftSection={values.from ? undefined : 'Now'}
          leftSectionWidth={values.from ? 0 : 44}
        />
      )}
      <MomentField
        label="To"
        name="To"
        value={values.to}
        error={errors.to}
        onChange={(to) => onChange({ to, ...(to && { minutes: undefined }) })}
        isClearable
        leftSection={values.to || !values.minutes ? undefined : formatHours(values.minutes)}
        leftSectionWidth={values.to || !values.minutes ? 0 : 104}
      />
    </Group>
  )
}

function WeeklyFields({ values, errors, onChange }: Props) {
  return (
    <>
      <DaysField values={values} errors={errors} onChange={onChange} />
      <Group grow align="flex-start">
        <TimeField
          label="From"
          name="From, on these days"
          value={values.fromTime}
          error={errors.fromTime}
          onChange={(fromTime) => onChange({ fromTime })}
        />
        <TimeField
          label="To"
          name="To; not later than the start is on the next day"
          value={values.toTime}
          error={errors.toTime}
          onChange={(toTime) => onChange({ toTime })}
        />
        <TimeZonePicker value={values.timeZone} onChange={(timeZone) => onChange({ timeZone })} />
      </Group>
      <Group grow align="flex-start">
        <DayField
          label="First day"
          value={values.firstDay}
          onChange={(firstDay) => firstDay && onChange({ firstDay })}
        />
        <DayField
          label="Last day"
          placeholder="Open"
          value={values.lastDay}
          onChange={(lastDay) => onChange({ lastDay })}
        />
      </Group>
    </>
  )
}

function DaysField({ values, errors, onChange }: Props) {
  return (
    <fieldset className="window-days" aria-label="Days on which it begins">
      <Checkbox.Group value={[...values.weekdays]} onChange={(weekdays) => onChange({ weekdays })}>
        <Group gap={14}>
          {WEEKDAY_NAMES.map((name, day) => (
            <Checkbox key={name} value={String(day)} label={name} size="xs" />
          ))}
        </Group>
      </Checkbox.Group>
      {errors.weekdays && (
        <p className="window-error" role="alert">
          {errors.weekdays}
        </p>
      )}
    </fieldset>
  )
}

interface WhyProps extends Props {
  /** The number of people who would be notified; undefined while unknown. */
  readonly toldPeople: number | undefined
}

export function WhyFields({ values, errors, onChange, toldPeople }: WhyProps) {
  return (
    <>
      <TextInput
        label="Reason"
        withAsterisk
        maxLength={LONGEST_REASON}
        value={values.reason}
        error={errors.reason}
        data-autofocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
      />
      <Checkbox
        label="Notify the customer's users"
        description={`By mail when it begins and ends, with this reason${notifiedLabel(toldPeople)}`}
        checked={values.tellsCustomer}
        onChange={({ currentTarget }) => onChange({ tellsCustomer: currentTarget.checked })}
      />
    </>
  )
}

function notifiedLabel(count: number | undefined): string {
  if (count === undefined) return ''
  if (count === 0) return '. None of them receives e-mails'
  return count === 1 ? ': one person' : `: ${count} people`
}
