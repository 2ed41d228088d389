import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { isLocalTime } from '#console/lib/time/localTime.ts'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { NumberInput, Select } from '#console/ui/kit/laterFields.ts'
import { applyBatteryTestSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { type BatteryTestSchedule, LEAST_CHARGE_PERCENT, WEEKDAYS } from '#domain/ups/batteryTest.ts'
import { sectionOf } from '../read/useSetup.ts'
import { LocalTimeNote, SettingsForm } from '../section/SettingsForm.tsx'
import { useSectionForm } from '../section/useSectionForm.ts'

interface Values {
  readonly schedule: BatteryTestSchedule | null
}

const NIGHT = { from: '03:00', to: '05:00' }
const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: 'week', label: 'Weekly' },
  { value: 'month', label: 'Monthly' },
]

export function BatteryTestForm({ view }: { readonly view: DeviceSettingsView }) {
  const { deviceId, timeZone } = view
  const section = sectionOf(view, 'batteryTest', 1)
  const base: Values = { schedule: (section?.desired?.schedule ?? null) as BatteryTestSchedule | null }
  const target = { deviceId, section: 'batteryTest', number: 1 } as const
  const form = useSectionForm<Values>(base, target, section)
  const [isTried, setIsTried] = useState(false)
  const { schedule } = form.values
  const isTooOld = view.knowsBatteryTests === false
  const isReadable = schedule === null || (isLocalTime(schedule.from) && isLocalTime(schedule.to))

  const send = ({ schedule: wanted }: Values, basedOn: string | null) =>
    sendOrQueue(applyBatteryTestSettings, { body: { deviceId, schedule: wanted, basedOn } })
  const submit = async () => {
    setIsTried(true)
    if (!isReadable || (isTooOld && schedule !== null)) return
    await form.apply(send)
    setIsTried(false)
  }

  return (
    <SettingsForm
      {...{ form, target, section }}
      unknownToClient={isTooOld && 'battery tests'}
      isTried={isTried}
      onApply={() => void submit()}
      sendBack={(args, basedOn) => send(args as unknown as Values, basedOn)}
    >
      <ScheduleFields
        schedule={schedule}
        showsErrors={isTried}
        onChange={(changed) => form.change({ schedule: changed })}
      />
      <p className="setup-hint">
        The device runs the test once in this window, only on mains power and above {LEAST_CHARGE_PERCENT} % charge.{' '}
        <LocalTimeNote timeZone={timeZone} />
      </p>
    </SettingsForm>
  )
}

interface ScheduleFieldsProps {
  readonly schedule: BatteryTestSchedule | null
  readonly showsErrors: boolean
  readonly onChange: (schedule: BatteryTestSchedule | null) => void
}

function ScheduleFields({ schedule, showsErrors, onChange }: ScheduleFieldsProps) {
  const choose = (every: string) => {
    const { from, to } = schedule ?? NIGHT
    if (every === 'never') onChange(null)
    else onChange(every === 'week' ? { every: 'week', weekday: 0, from, to } : { every: 'month', day: 1, from, to })
  }
  const time = (key: 'from' | 'to', label: string) =>
    schedule && (
      <TimeField
        label={label}
        name={`Test window: ${label}`}
        value={schedule[key] === '' ? null : schedule[key]}
        error={showsErrors && !isLocalTime(schedule[key]) ? 'A time from 00:00 to 23:59' : undefined}
        onChange={(value) => onChange({ ...schedule, [key]: value ?? '' })}
      />
    )
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="How often the battery is tested"
        data={CHOICES}
        value={schedule?.every ?? 'never'}
        onChange={choose}
      />
      {schedule && (
        <div className="battery-test-window">
          {schedule.every === 'week' ? (
            <Select
              label="On"
              data={WEEKDAYS.map((name, index) => ({ value: String(index), label: name }))}
              allowDeselect={false}
              value={String(schedule.weekday)}
              onChange={(weekday) => onChange({ ...schedule, weekday: Number(weekday) })}
            />
          ) : (
            <NumberInput
              size="xs"
              label="Day of the month"
              min={1}
              max={31}
              allowDecimal={false}
              value={schedule.day}
              onChange={(day) => onChange({ ...schedule, day: Math.trunc(Number(day)) })}
            />
          )}
          {time('from', 'From')}
          {time('to', 'To')}
        </div>
      )}
    </>
  )
}
