import { useState } from 'react'
import type { NumberRange } from '#console/lib/form/fieldBounds.ts'
import { NumberInput } from '#console/ui/kit/laterFields.ts'

interface NumberFieldProps extends NumberRange {
  readonly label: string
  readonly value: number | undefined
  readonly unit?: string | undefined
  readonly placeholder?: string
  readonly onChange: (value: number) => void
}

/** A number beside its slider can be typed; leaving the field brings it within the range. */
export function NumberField({ label, value, unit, placeholder, min, max, step, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState<number | string>()
  const decimals = decimalsOf(step)

  const take = (typed: number | string) => {
    setDraft(typed)
    // The slider follows typing and arrow keys, but not the values that they only pass through.
    if (typeof typed === 'number' && typed === onStep(typed, { min, max, step })) onChange(typed)
  }
  const leave = () => {
    if (typeof draft === 'number') onChange(onStep(draft, { min, max, step }))
    setDraft(undefined)
  }

  return (
    <NumberInput
      className="number-field"
      size="xs"
      hideControls
      aria-label={label}
      value={draft ?? value ?? ''}
      onChange={take}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave()
      }}
      min={min}
      max={max}
      step={step}
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      allowNegative={min < 0}
      clampBehavior="none"
      selectAllOnFocus
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(max >= 10_000 ? { thousandSeparator: ',' } : {})}
      {...(unit === undefined ? {} : { suffix: ` ${unit}` })}
    />
  )
}

export function onStep(value: number, { min, max, step }: NumberRange): number {
  const stepped = min + Math.round((value - min) / step) * step
  return Number(Math.min(max, Math.max(min, stepped)).toFixed(decimalsOf(step)))
}

function decimalsOf(step: number): number {
  return String(step).split('.')[1]?.length ?? 0
}
