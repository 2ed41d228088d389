import { Checkbox, SegmentedControl } from '@mantine/core'
import { LEFT_TEXT } from '#console/ui/number/NumberSlider.tsx'
import type { WhichOnes } from './bulkSettings.ts'

interface LeaveBoxProps {
  readonly of: string
  readonly isLeft: boolean
  readonly onChange: (isLeft: boolean) => void
}

export function LeaveBox({ of, isLeft, onChange }: LeaveBoxProps) {
  return (
    <Checkbox
      className="bulk-leave"
      size="xs"
      label={LEFT_TEXT}
      aria-label={`${LEFT_TEXT}: ${of}`}
      checked={isLeft}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isOn: boolean | undefined
  readonly onChange: (isOn: boolean | undefined) => void
}

export function OnOffChoice({ label, isOn, onChange }: ChoiceProps) {
  return (
    <div className="bulk-choice">
      <span>{label}</span>
      <SegmentedControl
        size="xs"
        aria-label={label}
        data={[LEFT_TEXT, 'On', 'Off']}
        value={isOn === undefined ? LEFT_TEXT : isOn ? 'On' : 'Off'}
        onChange={(chosen) => onChange(chosen === LEFT_TEXT ? undefined : chosen === 'On')}
      />
    </div>
  )
}

interface WhichProps {
  readonly name: string
  readonly numbers: readonly number[]
  readonly which: WhichOnes
  readonly onChange: (which: WhichOnes) => void
}

/** It chooses displays of a device, and is absent where each device has one. */
export function WhichChoice({ name, numbers, which, onChange }: WhichProps) {
  if (numbers.length < 2) return null
  return (
    <div className="bulk-choice">
      <span>{name}s</span>
      <SegmentedControl
        size="xs"
        aria-label={`${name}s`}
        data={[
          { value: 'all', label: 'All' },
          ...numbers.map((number) => ({ value: String(number), label: `${name} ${number}` })),
        ]}
        value={String(which)}
        onChange={(chosen) => onChange(chosen === 'all' ? 'all' : Number(chosen))}
      />
    </div>
  )
}
