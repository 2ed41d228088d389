import { RangeSlider } from '@mantine/core'
import type { ReactNode } from 'react'
import type { NumberRange } from '#console/lib/form/fieldBounds.ts'
import { NumberField, onStep } from './NumberField.tsx'
import { withUnit } from './NumberSlider.tsx'
import '#console/ui/form/controls.css'

/** A typed value may lie between two steps of its scale. */
const POSITION_DECIMALS = 9
const SAME_POSITION = 1e-6

/** It maps positions of the thumb to values where the steps are not even. */
export interface SliderScale {
  readonly lastPosition: number
  readonly positionOf: (value: number) => number
  readonly valueAt: (position: number) => number
}

interface RangeFieldProps extends NumberRange {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly unit?: string
  readonly note?: ReactNode
  readonly scale?: SliderScale
  readonly onChange: (from: number, to: number) => void
}

/** Minimum and maximum can be dragged, stepped or typed; neither can pass the other (rules/setup 8). */
export function RangeField({ label, from, to, unit, note, scale, min, max, step, onChange }: RangeFieldProps) {
  const positionOf = scale?.positionOf ?? ((value: number) => value)
  const valueAt = scale?.valueAt ?? ((position: number) => position)
  // The thumb that stays keeps what was typed for it; the one that moves goes to a step.
  const moved = (value: number, position: number) =>
    Math.abs(positionOf(value) - position) < SAME_POSITION
      ? value
      : onStep(valueAt(Math.round(position)), { min, max, step })
  const name = label.toLowerCase()
  const minimum = `Minimum ${name}`
  const maximum = `Maximum ${name}`
  return (
    <div className="number-slider range-field">
      <span className="number-slider-label">
        {label}
        {note}
      </span>
      <span className="range-field-numbers">
        <NumberField
          label={minimum}
          value={from}
          unit={unit}
          min={min}
          max={to}
          step={step}
          onChange={(next) => onChange(next, to)}
        />
        <span aria-hidden>–</span>
        <NumberField
          label={maximum}
          value={to}
          unit={unit}
          min={from}
          max={max}
          step={step}
          onChange={(next) => onChange(from, next)}
        />
      </span>
      <RangeSlider
        size={5}
        thumbSize={14}
        label={null}
        thumbFromLabel={minimum}
        thumbToLabel={maximum}
        thumbValueText={(position) => withUnit(valueAt(position), unit)}
        minRange={0}
        pushOnOverlap={false}
        min={scale ? 0 : min}
        max={scale?.lastPosition ?? max}
        step={scale ? 1 : step}
        value={[positionOf(from), positionOf(to)]}
        precision={POSITION_DECIMALS}
        onChange={([lower, upper]) => onChange(moved(from, lower), moved(to, upper))}
      />
    </div>
  )
}
