import { IconCalendarTime, IconChevronDown } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { FilterMoment } from './filterMoment.ts'
import { PERIOD_PRESETS, type Period, presetOf, withFrom, withTo } from './period.ts'
import './PeriodPicker.css'

interface Props {
  readonly value: Period
  readonly onChange: (period: Period) => void
}

export function PeriodPicker({ value, onChange }: Props) {
  const preset = presetOf(value, new Date())
  return (
    <fieldset className="period">
      <legend className="visually-hidden">Period</legend>
      <Moment name="From" labelWidthPx={44} value={value.from} onChange={(from) => onChange(withFrom(value, from))} />
      <Moment name="To" labelWidthPx={30} value={value.to} onChange={(to) => onChange(withTo(value, to))} />
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionButton
            icon={IconCalendarTime}
            iconSize={15}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`Choose a period, now: ${preset?.label ?? 'own'}`}
          >
            {preset?.label ?? 'Period'}
          </ActionButton>
        </Menu.Target>
        <Menu.Dropdown>
          {PERIOD_PRESETS.map(({ label, at }) => (
            <Menu.Item key={label} onClick={() => onChange(at(new Date()))}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}

interface MomentProps {
  readonly name: string
  readonly labelWidthPx: number
  readonly value: Date
  readonly onChange: (moment: Date) => void
}

function Moment({ name, labelWidthPx, value, onChange }: MomentProps) {
  return (
    <FilterMoment
      className="period-moment"
      name={name}
      leftSection={<span aria-hidden>{name}</span>}
      leftSectionWidth={labelWidthPx}
      leftSectionPointerEvents="none"
      value={value}
      onChange={(moment) => {
        if (moment) onChange(moment)
      }}
    />
  )
}
