import { Radio, Stack } from '@mantine/core'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { DayPlanFields } from '#console/deviceParts/settings/DayPlanFields.tsx'
import { OffTimesFields } from '#console/deviceParts/settings/OffTimesFields.tsx'
import { NEVER_OFF, offTimesErrors } from '#console/deviceParts/settings/offGroups.ts'
import { AMBIENT_NUMBERS, DISPLAY_NUMBERS, type NumberSetting } from '#console/deviceParts/settings/settingNumbers.ts'
import { TagsPicker } from '#console/pickers/TagsPicker.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { NumberField } from '#console/ui/number/NumberField.tsx'
import { LEFT_TEXT, NumberSlider } from '#console/ui/number/NumberSlider.tsx'
import type { TurnOffTimes } from '#contract/http/devices/setup.ts'
import { type DeviceStatusId, SETTABLE_STATUS_IDS } from '#domain/devices/status.ts'
import { distinctTags } from '#domain/devices/tags.ts'
import { backlightForPower, isDisplayOn } from '#domain/displays/displayPower.ts'
import { LeaveBox, OnOffChoice, WhichChoice } from './BulkChoices.tsx'
import type { BulkChange, ComparedDevice, TagsChange } from './bulkSettings.ts'
import { sharedOf } from './sharedValue.ts'

interface Props {
  readonly change: BulkChange
  readonly devices: readonly ComparedDevice[]
  readonly showsErrors: boolean
  readonly onChange: (change: BulkChange) => void
}

/** Values are set as on the page of one device; each stays as it is until it is chosen. */
export function BulkFields({ change, devices, showsErrors, onChange }: Props) {
  switch (change.kind) {
    case 'addTags':
    case 'removeTags':
      return <TagsFields change={change} devices={devices} onChange={onChange} />
    case 'status':
      return <StatusFields statusId={change.statusId} onChange={(statusId) => onChange({ ...change, statusId })} />
    case 'display':
      return <DisplayFields change={change} devices={devices} onChange={onChange} />
    case 'ambientSensor':
      return <AmbientFields change={change} devices={devices} onChange={onChange} />
    case 'turnOff':
      return <OffTimes change={change} errors={showsErrors ? offTimesErrors(change.chosen) : {}} onChange={onChange} />
    case 'dayPlan':
      return <DayPlanChoice change={change} showsErrors={showsErrors} onChange={onChange} />
  }
}

function TagsFields({ change, devices, onChange }: SectionProps<TagsChange['kind']>) {
  const present = change.kind === 'removeTags' ? distinctTags(devices.flatMap(({ tags }) => tags)) : undefined
  return (
    <TagsPicker
      label={change.kind === 'addTags' ? 'Tags to add' : 'Tags to remove'}
      description="The other tags of each device stay."
      value={change.tags}
      {...(present && { offered: present })}
      onChange={(tags) => onChange({ ...change, tags })}
    />
  )
}

interface StatusProps {
  readonly statusId: DeviceStatusId | undefined
  readonly onChange: (statusId: DeviceStatusId) => void
}

function StatusFields({ statusId, onChange }: StatusProps) {
  return (
    <Radio.Group
      label="New status"
      value={statusId === undefined ? null : String(statusId)}
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

interface SectionProps<Kind extends BulkChange['kind']> {
  readonly change: Extract<BulkChange, { readonly kind: Kind }>
  readonly devices: readonly ComparedDevice[]
  readonly onChange: (change: BulkChange) => void
}

/** Only chosen values are in the result; a value to leave as it is is removed. */
function withChoice<Chosen extends object, Key extends keyof Chosen>(
  chosen: Chosen,
  key: Key,
  value: Chosen[Key] | undefined,
): Chosen {
  const { [key]: _, ...others } = chosen
  return (value === undefined ? others : { ...others, [key]: value }) as Chosen
}

const numbersIn = (devices: readonly ComparedDevice[], kind: 'display' | 'ambientSensor') =>
  [
    ...new Set(
      devices.flatMap(({ present }) => present.filter(({ section }) => section === kind).map(({ number }) => number)),
    ),
  ].toSorted((a, b) => a - b)

function DisplayFields({ change, devices, onChange }: SectionProps<'display'>) {
  const { chosen } = change
  const choose = <Key extends keyof typeof chosen>(key: Key, value: (typeof chosen)[Key] | undefined) =>
    onChange({ ...change, chosen: withChoice(chosen, key, value) })
  const isOn = isDisplayOn(chosen.backlightLevel)
  return (
    <>
      <WhichChoice
        name="Display"
        numbers={numbersIn(devices, 'display')}
        which={change.which}
        onChange={(which) => onChange({ ...change, which })}
      />
      <Toggle
        label="Display on"
        isOn={isOn}
        {...(isOn === undefined ? { stateText: LEFT_TEXT } : {})}
        onChange={(next) => choose('backlightLevel', backlightForPower(next))}
      />
      {DISPLAY_NUMBERS.map((setting) => {
        const shared = sharedOf(devices, change, setting)
        return (
          <NumberSlider
            key={setting.key}
            {...rangeOf(setting)}
            label={setting.label}
            unit={setting.unit}
            value={chosen[setting.key]}
            startAt={shared.startAt}
            placeholder={shared.text}
            note={
              <LeaveBox
                of={setting.label}
                isLeft={chosen[setting.key] === undefined}
                onChange={(isLeft) => choose(setting.key, isLeft ? undefined : shared.startAt)}
              />
            }
            onChange={(value) => choose(setting.key, value)}
          />
        )
      })}
      <OnOffChoice
        label="Touch screen"
        isOn={chosen.touchScreenStatus && chosen.touchScreenStatus === 'ON'}
        onChange={(next) => choose('touchScreenStatus', next === undefined ? undefined : next ? 'ON' : 'OFF')}
      />
    </>
  )
}

const rangeOf = ({ min, max, step }: NumberSetting<string>) => ({ min, max, step })

function AmbientFields({ change, devices, onChange }: SectionProps<'ambientSensor'>) {
  const { chosen } = change
  const choose = <Key extends keyof typeof chosen>(key: Key, value: (typeof chosen)[Key] | undefined) =>
    onChange({ ...change, chosen: withChoice(chosen, key, value) })
  return (
    <>
      <WhichChoice
        name="Sensor"
        numbers={numbersIn(devices, 'ambientSensor')}
        which={change.which}
        onChange={(which) => onChange({ ...change, which })}
      />
      <OnOffChoice
        label="Automatic backlight"
        isOn={chosen.backlightAutomaticStatus}
        onChange={(isOn) => choose('backlightAutomaticStatus', isOn)}
      />
      {AMBIENT_NUMBERS.map((setting) => {
        const shared = sharedOf(devices, change, setting)
        return (
          <div key={setting.key} className="number-slider bulk-number">
            <span className="number-slider-label">
              {setting.label}
              <LeaveBox
                of={setting.label}
                isLeft={chosen[setting.key] === undefined}
                onChange={(isLeft) => choose(setting.key, isLeft ? undefined : shared.startAt)}
              />
            </span>
            <NumberField
              {...rangeOf(setting)}
              label={setting.label}
              unit={setting.unit}
              value={chosen[setting.key]}
              placeholder={shared.text}
              onChange={(value) => choose(setting.key, value)}
            />
          </div>
        )
      })}
    </>
  )
}

interface OffTimesProps {
  readonly change: Extract<BulkChange, { readonly kind: 'turnOff' }>
  readonly errors: Partial<Record<keyof TurnOffTimes, string>>
  readonly onChange: (change: BulkChange) => void
}

function OffTimes({ change, errors, onChange }: OffTimesProps) {
  const { chosen } = change
  return (
    <OffTimesFields
      values={chosen}
      errors={errors}
      onChange={(changes) => onChange({ ...change, chosen: { ...chosen, ...changes } })}
      besides={({ name, from, to }) => {
        const isLeft = chosen[from] === undefined
        const leave = () =>
          onChange({ ...change, chosen: withChoice(withChoice(chosen, from, undefined), to, undefined) })
        const choose = () =>
          onChange({ ...change, chosen: { ...chosen, [from]: NEVER_OFF[from], [to]: NEVER_OFF[to] } })
        return (
          <div className="off-group-note bulk-off-group">
            <LeaveBox of={name} isLeft={isLeft} onChange={(next) => (next ? leave() : choose())} />
            {!isLeft && chosen[from] === null && chosen[to] === null && <span>Never off.</span>}
          </div>
        )
      }}
    />
  )
}

interface DayPlanChoiceProps {
  readonly change: Extract<BulkChange, { readonly kind: 'dayPlan' }>
  readonly showsErrors: boolean
  readonly onChange: (change: BulkChange) => void
}

function DayPlanChoice({ change, showsErrors, onChange }: DayPlanChoiceProps) {
  const { chosen } = change
  return (
    <DayPlanFields
      values={chosen}
      showsErrors={showsErrors}
      onChange={(changes) => onChange({ ...change, chosen: { ...chosen, ...changes } })}
      besides={({ name, keys }) => {
        const isLeft = keys.every((key) => chosen[key] === undefined)
        const leave = () =>
          onChange({ ...change, chosen: keys.reduce((left, key) => withChoice(left, key, undefined), chosen) })
        const choose = () =>
          onChange({ ...change, chosen: { ...chosen, ...Object.fromEntries(keys.map((key) => [key, []])) } })
        const isEmpty = keys.every((key) => chosen[key]?.length === 0)
        return (
          <div className="off-group-note bulk-off-group">
            <LeaveBox of={name} isLeft={isLeft} onChange={(next) => (next ? leave() : choose())} />
            {isEmpty && <span>No plan.</span>}
          </div>
        )
      }}
    />
  )
}
