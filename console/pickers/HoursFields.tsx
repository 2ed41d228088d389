import { Checkbox, Group } from '@mantine/core'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { WEEKDAY_NAMES } from '#domain/maintenanceWindows/scheduleLabels.ts'
import { TimeZonePicker } from './TimeZonePicker.tsx'

export interface Hours {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  /** Every day counts if they are absent. */
  readonly weekdays?: readonly number[]
}

interface Props<H extends Hours> {
  readonly hours: H
  readonly onChange: (hours: H) => void
}

export function HoursFields<H extends Hours>({ hours, onChange }: Props<H>) {
  const { from, to, timeZone, weekdays } = hours
  return (
    <>
      {weekdays && (
        <Checkbox.Group
          label="On"
          value={weekdays.map(String)}
          onChange={(days) => onChange({ ...hours, weekdays: days.map(Number).toSorted() })}
        >
          <Group gap={14} mt={4}>
            {WEEKDAY_NAMES.map((name, day) => (
              <Checkbox key={name} value={String(day)} label={name} size="xs" />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Group grow align="flex-start">
        <TimeField
          label="From"
          name="From"
          value={from}
          onChange={(time) => onChange({ ...hours, from: time ?? '' })}
        />
        <TimeField
          label="To"
          name="To; not later than the start is on the next day"
          value={to}
          onChange={(time) => onChange({ ...hours, to: time ?? '' })}
        />
        <TimeZonePicker value={timeZone} onChange={(zone) => onChange({ ...hours, timeZone: zone })} />
      </Group>
    </>
  )
}

export function hoursFault({ from, to, weekdays }: Hours): string | undefined {
  if (![from, to].every((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time)))
    return 'The hours must be times such as 22:00.'
  return weekdays?.length === 0 ? 'Choose at least one day.' : undefined
}
