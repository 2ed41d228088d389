import { Slider } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '#domain/units/numbers.ts'
import { NumberField, type NumberRange } from './NumberField.tsx'
import './controls.css'

interface NumberSliderProps extends NumberRange {
  readonly label: string
  readonly value: number
  readonly unit?: string | undefined
  /** Small, beside the label: where the value comes from. */
  readonly note?: ReactNode
  readonly onChange: (value: number) => void
}

/** A number to drag, to step with the arrow keys, or to type. */
export function NumberSlider({ label, value, unit, note, min, max, step, onChange }: NumberSliderProps) {
  const range = { min, max, step }
  return (
    <div className="number-slider">
      <span className="number-slider-label">
        {label}
        {note}
      </span>
      <NumberField label={label} value={value} unit={unit} {...range} onChange={onChange} />
      <Slider
        size={5}
        thumbSize={14}
        label={null}
        thumbLabel={label}
        thumbValueText={(shown) => withUnit(shown, unit)}
        value={value}
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
