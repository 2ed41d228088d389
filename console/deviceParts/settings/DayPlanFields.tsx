import { SegmentedControl } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { NumberInput, Select } from '#console/ui/kit/laterFields.ts'
import {
  type DayPlan,
  type DayPlanEntry,
  isSunMoment,
  MOST_DAY_PLAN_ENTRIES,
  MOST_SUN_OFFSET_MINUTES,
} from '#domain/displays/dayPlan.ts'
import { DAY_PLAN_GROUPS, entryErrors, isSameEveryDay } from '../dayPlanLabels.ts'
import '#console/ui/form/controls.css'
import './dayPlan.css'

type Key = keyof DayPlan

export interface DayPlanGroup {
  readonly name: string
  readonly keys: readonly Key[]
}

interface DayPlanFieldsProps {
  readonly values: Partial<DayPlan>
  readonly showsErrors: boolean
  readonly onChange: (changes: Partial<DayPlan>) => void
  readonly besides?: (group: DayPlanGroup) => ReactNode
}

const EVERY_DAY: DayPlanGroup = { name: 'Every day', keys: DAY_PLAN_GROUPS.map(({ key }) => key) }
const BY_KIND: readonly DayPlanGroup[] = DAY_PLAN_GROUPS.map(({ key, name }) => ({ name, keys: [key] }))

/** The entries hold for every day, or separately for workdays, weekends and holidays. */
export function DayPlanFields({ values, showsErrors, onChange, besides }: DayPlanFieldsProps) {
  const [wantsKinds, setWantsKinds] = useState(false)
  const isByKind = wantsKinds || !isSameEveryDay(values)
  const choose = (chosen: string) => {
    setWantsKinds(chosen === 'kinds')
    if (chosen === 'kinds' || isSameEveryDay(values)) return
    const entries = values.workdays ?? []
    onChange({ workdays: entries, weekends: entries, holidays: entries })
  }
  return (
    <div className="day-plan-fields">
      <SegmentedControl
        size="xs"
        aria-label="Days of the plan"
        data={[
          { value: 'every', label: 'Same every day' },
          { value: 'kinds', label: 'By kind of day' },
        ]}
        value={isByKind ? 'kinds' : 'every'}
        onChange={choose}
      />
      {(isByKind ? BY_KIND : [EVERY_DAY]).map((group) => (
        <GroupFields
          key={group.name}
          group={group}
          entries={values[group.keys[0] ?? 'workdays'] ?? []}
          showsErrors={showsErrors}
          onChange={(entries) => onChange(Object.fromEntries(group.keys.map((key) => [key, entries])))}
          besides={besides?.(group)}
        />
      ))}
    </div>
  )
}

interface GroupFieldsProps {
  readonly group: DayPlanGroup
  readonly entries: readonly DayPlanEntry[]
  readonly showsErrors: boolean
  readonly onChange: (entries: readonly DayPlanEntry[]) => void
  readonly besides: ReactNode
}

function GroupFields({ group: { name }, entries, showsErrors, onChange, besides }: GroupFieldsProps) {
  const errors = showsErrors ? entryErrors(entries) : undefined
  return (
    <fieldset className="off-group day-plan-group">
      <legend>{name}</legend>
      {entries.length > 0 && (
        <ol className="day-plan-entries">
          {entries.map((entry, index) => (
            <EntryFields
              // Entries have no identity but their position.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={index}
              name={`${name}, entry ${index + 1}`}
              entry={entry}
              error={errors?.get(index)}
              onChange={(changed) => onChange(entries.with(index, changed))}
              onRemove={() => onChange(entries.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
      <div className="day-plan-foot">
        <ActionButton
          icon={IconPlus}
          iconSize={14}
          size="compact-sm"
          aria-label={`Add an entry: ${name}`}
          disabled={entries.length >= MOST_DAY_PLAN_ENTRIES}
          onClick={() => onChange([...entries, nextEntry(entries)])}
        >
          Add an entry
        </ActionButton>
        {besides}
      </div>
    </fieldset>
  )
}

/** Operators mostly want the display dimmed at night and normal in the morning, so the next entry is one of these. */
const nextEntry = (entries: readonly DayPlanEntry[]): DayPlanEntry =>
  entries.length === 0 ? { from: '22:00', backlightPercent: 70 } : { from: '06:00', backlightPercent: null }

interface EntryFieldsProps {
  readonly name: string
  readonly entry: DayPlanEntry
  readonly error: string | undefined
  readonly onChange: (entry: DayPlanEntry) => void
  readonly onRemove: () => void
}

const BEGINNINGS = [
  { value: 'time', label: 'Time' },
  { value: 'sunrise', label: 'Sunrise' },
  { value: 'sunset', label: 'Sunset' },
]
const LEVELS = [
  { value: 'level', label: 'Backlight' },
  { value: 'none', label: 'No plan' },
]

function EntryFields({ name, entry, error, onChange, onRemove }: EntryFieldsProps) {
  const { from } = entry
  const begin = (chosen: string | null) => {
    if (chosen === 'sunrise' || chosen === 'sunset') onChange({ ...entry, from: { sun: chosen, offsetMinutes: 0 } })
    else onChange({ ...entry, from: '22:00' })
  }
  return (
    <li className="day-plan-entry">
      <Select
        label="From"
        aria-label={`${name}: from`}
        data={BEGINNINGS}
        allowDeselect={false}
        value={isSunMoment(from) ? from.sun : 'time'}
        onChange={begin}
      />
      {isSunMoment(from) ? (
        <NumberInput
          size="xs"
          label="Later by"
          aria-label={`${name}: minutes later, or earlier`}
          suffix=" min"
          min={-MOST_SUN_OFFSET_MINUTES}
          max={MOST_SUN_OFFSET_MINUTES}
          step={5}
          allowDecimal={false}
          value={from.offsetMinutes}
          error={error}
          onChange={(minutes) => onChange({ ...entry, from: { ...from, offsetMinutes: Math.trunc(Number(minutes)) } })}
        />
      ) : (
        <TimeField
          label="Time"
          name={`${name}: time`}
          value={from === '' ? null : from}
          error={error}
          onChange={(time) => onChange({ ...entry, from: time ?? '' })}
        />
      )}
      <LevelFields name={name} entry={entry} onChange={onChange} />
      <IconButton
        icon={IconX}
        variant="subtle"
        color="gray"
        size={30}
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      />
    </li>
  )
}

function LevelFields({ name, entry, onChange }: Pick<EntryFieldsProps, 'name' | 'entry' | 'onChange'>) {
  const { backlightPercent } = entry
  return (
    <>
      <Select
        label="Set"
        aria-label={`${name}: what is set`}
        data={LEVELS}
        allowDeselect={false}
        value={backlightPercent === null ? 'none' : 'level'}
        onChange={(chosen) => onChange({ ...entry, backlightPercent: chosen === 'none' ? null : 70 })}
      />
      {backlightPercent === null ? (
        <span className="day-plan-none">Ambient light, or the level set</span>
      ) : (
        <NumberInput
          size="xs"
          label="To"
          aria-label={`${name}: backlight in percent`}
          suffix=" %"
          min={0}
          max={100}
          step={5}
          allowDecimal={false}
          value={backlightPercent}
          onChange={(percent) => onChange({ ...entry, backlightPercent: Math.trunc(Number(percent)) })}
        />
      )}
    </>
  )
}
