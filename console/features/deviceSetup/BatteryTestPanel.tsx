import { NumberInput, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { useOpenDevice } from '#console/device/openDevice.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { isLocalTime } from '#console/lib/time/localTime.ts'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { applyBatteryTestSettings, type DeviceSettingsView } from '#contract/http/deviceSettings.ts'
import { type BatteryTestSchedule, LEAST_CHARGE_PERCENT, WEEKDAYS } from '#domain/ups/batteryTest.ts'
import { sectionOf } from './read/useSetup.ts'
import { SectionFoot } from './SectionFoot.tsx'
import { useSectionForm } from './useSectionForm.ts'

interface Values {
  readonly schedule: BatteryTestSchedule | null
}

const NO_READINGS = new Map()
const NIGHT = { from: '03:00', to: '05:00' }
const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: 'week', label: 'Weekly' },
  { value: 'month', label: 'Monthly' },
]

/** When the device tests the battery of its UPS by itself; "now" stands with what switches the UPS. */
export function BatteryTestPanel({ view }: { readonly view: DeviceSettingsView }) {
  const { timeZoneIsAssumed } = useOpenDevice()
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
    <Panel title="Battery test" isPadded>
      <form
        className="setup-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {isTooOld && (
          <p className="setup-warning" role={isTried ? 'alert' : 'note'}>
            The client of this device does not know battery tests. Update the client first.
          </p>
        )}
        <ScheduleFields
          schedule={schedule}
          showsErrors={isTried}
          onChange={(changed) => form.change({ schedule: changed })}
        />
        <p className="setup-hint">
          Begun by the device, once in the window: never with the mains away or the battery below {LEAST_CHARGE_PERCENT}{' '}
          %. Local time of the device: {timeZone}
          {timeZoneIsAssumed && ' (assumed)'}.
        </p>
        <SectionFoot
          {...{ form, target, section }}
          readings={NO_READINGS}
          sendBack={(args, basedOn) => send(args as unknown as Values, basedOn)}
        />
      </form>
    </Panel>
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
