import { Radio, SegmentedControl, Stack } from '@mantine/core'
import { AMBIENT_NUMBERS, DISPLAY_NUMBERS } from '#console/lib/settingNumbers.ts'
import { LUX_SCALE } from '#console/ui/luxSlider.ts'
import { NumberSlider } from '#console/ui/NumberSlider.tsx'
import { OffTimesFields } from '#console/ui/OffTimesFields.tsx'
import { RangeField } from '#console/ui/RangeField.tsx'
import { StatusBadge } from '#console/ui/StatusBadge.tsx'
import { Toggle } from '#console/ui/Toggle.tsx'
import type { TurnOffTimes } from '#contract/http/deviceSettings.ts'
import type { CommandArguments } from '#contract/mqtt/command.ts'
import { type DeviceStatusId, SETTABLE_STATUS_IDS } from '#domain/devices/status.ts'
import { backlightForPower, isDisplayOn } from '#domain/displays/displayPower.ts'
import type { BulkWish } from './bulkWish.ts'

interface Props {
  readonly wish: BulkWish
  readonly offTimesErrors: Partial<Record<keyof TurnOffTimes, string>>
  readonly onChange: (wish: BulkWish) => void
}

/** What is to be set, as on the page of one device. */
export function BulkFields({ wish, offTimesErrors, onChange }: Props) {
  switch (wish.kind) {
    case 'status':
      return <StatusFields statusId={wish.statusId} onChange={(statusId) => onChange({ ...wish, statusId })} />
    case 'display':
      return <DisplayFields args={wish.args} onChange={(args) => onChange({ ...wish, args })} />
    case 'ambientSensor':
      return <AmbientFields args={wish.args} onChange={(args) => onChange({ ...wish, args })} />
    case 'turnOff':
      return (
        <OffTimesFields
          values={wish.args}
          errors={offTimesErrors}
          onChange={(changes) => onChange({ ...wish, args: { ...wish.args, ...changes } })}
        />
      )
  }
}

interface StatusProps {
  readonly statusId: DeviceStatusId
  readonly onChange: (statusId: DeviceStatusId) => void
}

function StatusFields({ statusId, onChange }: StatusProps) {
  return (
    <Radio.Group
      label="New status"
      value={String(statusId)}
      onChange={(chosen) => onChange(Number(chosen) as DeviceStatusId)}
    >
      <Stack gap="sm" mt="xs">
        {SETTABLE_STATUS_IDS.map((id) => (
          <Radio key={id} size="xs" value={String(id)} label={<StatusBadge statusId={id} />} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const NUMBERS = ['1', '2', '3']

interface NumberChoiceProps {
  readonly name: string
  readonly number: number
  readonly onChange: (number: number) => void
}

function NumberChoice({ name, number, onChange }: NumberChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={name}
      data={NUMBERS.map((value) => ({ value, label: `${name} ${value}` }))}
      value={String(number)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  )
}

type DisplayArgs = CommandArguments<'display.apply'>
const TOUCH_CHOICES = [
  { value: 'keep', label: 'Leave as it is' },
  { value: 'ON', label: 'On' },
  { value: 'OFF', label: 'Off' },
]

interface ArgsProps<Args> {
  readonly args: Args
  readonly onChange: (args: Args) => void
}

function DisplayFields({ args, onChange }: ArgsProps<DisplayArgs>) {
  const { touchScreenStatus, ...others } = args
  const turn = (isOn: boolean) => onChange({ ...args, backlightLevel: backlightForPower(isOn) })
  return (
    <>
      <NumberChoice
        name="Display"
        number={args.displayNumber}
        onChange={(displayNumber) => onChange({ ...args, displayNumber })}
      />
      <Toggle label="Display on" isOn={isDisplayOn(args.backlightLevel)} onChange={turn} />
      {DISPLAY_NUMBERS.map(({ key, label, unit, min, max, step }) => (
        <NumberSlider
          key={key}
          {...{ label, unit, min, max, step }}
          value={args[key]}
          onChange={(value) => onChange({ ...args, [key]: value })}
        />
      ))}
      <div className="bulk-touch">
        <span id="bulk-touch">Touch screen</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="bulk-touch"
          data={TOUCH_CHOICES}
          value={touchScreenStatus ?? 'keep'}
          onChange={(chosen) =>
            onChange(chosen === 'keep' ? others : { ...others, touchScreenStatus: chosen as 'ON' | 'OFF' })
          }
        />
      </div>
    </>
  )
}

const [BACKLIGHT_FROM, , LIGHT_FROM] = AMBIENT_NUMBERS

function AmbientFields({ args, onChange }: ArgsProps<CommandArguments<'ambientSensor.apply'>>) {
  return (
    <>
      <NumberChoice name="Sensor" number={args.number} onChange={(number) => onChange({ ...args, number })} />
      <Toggle
        label="Automatic backlight"
        isOn={args.backlightAutomaticStatus}
        onChange={(backlightAutomaticStatus) => onChange({ ...args, backlightAutomaticStatus })}
      />
      <RangeField
        label="Backlight"
        unit="%"
        min={BACKLIGHT_FROM?.min ?? 0}
        max={BACKLIGHT_FROM?.max ?? 100}
        step={1}
        from={args.minBacklight}
        to={args.maxBacklight}
        onChange={(minBacklight, maxBacklight) => onChange({ ...args, minBacklight, maxBacklight })}
      />
      <RangeField
        label="Ambient light"
        unit="lux"
        min={LIGHT_FROM?.min ?? 0}
        max={LIGHT_FROM?.max ?? 100_000}
        step={1}
        scale={LUX_SCALE}
        from={args.minAmbientLight}
        to={args.maxAmbientLight}
        onChange={(minAmbientLight, maxAmbientLight) => onChange({ ...args, minAmbientLight, maxAmbientLight })}
      />
    </>
  )
}
