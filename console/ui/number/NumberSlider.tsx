import { Slider } from '@mantine/core'
import type { ReactNode } from 'react'
import type { NumberRange } from '#console/lib/form/fieldBounds.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { NumberField } from './NumberField.tsx'
import '#console/ui/form/controls.css'

export const LEFT_TEXT = 'Leave as it is'

interface NumberSliderProps extends NumberRange {
  readonly label: string
  /** What is read beside the field where its group says the rest of the label. */
  readonly shownLabel?: string | undefined
  readonly value: number | undefined
  readonly startAt?: number
  readonly placeholder?: string
  readonly unit?: string | undefined
  readonly note?: ReactNode
  readonly onChange: (value: number) => void
}

export function NumberSlider(props: NumberSliderProps) {
  const { label, shownLabel = label, value, startAt, placeholder, unit, note, min, max, step, onChange } = props
  const range = { min, max, step }
  return (
    <div className="number-slider" data-left={value === undefined || undefined}>
      <span className="number-slider-label">
        {shownLabel}
        {note}
      </span>
      <NumberField
        {...{ label, value, unit, onChange }}
        {...range}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <Slider
        size={5}
        thumbSize={14}
        label={null}
        thumbLabel={label}
        thumbValueText={(shown) => (value === undefined ? LEFT_TEXT : withUnit(shown, unit))}
        value={value ?? startAt ?? min}
        {...range}
        onChange={onChange}
      />
    </div>
  )
}

export function withUnit(value: number, unit: string | undefined): string {
  const text = formatNumber(value)
  return unit === undefined ? text : `${text} ${unit}`
}
