import { fieldsOf } from '#console/lib/call/plainContract.ts'
import type { BodyOf, Call } from '#contract/call/call.ts'
import type { Shape } from '#domain/validation/shapes.ts'

export interface NumberRange {
  readonly min: number
  readonly max: number
  /** Typed numbers are rounded to this step, counted from `min`. */
  readonly step: number
}

/** It takes the bounds from the contract entry and the step from the form. */
export function rangeOf<C extends Call>(call: C, name: keyof BodyOf<C> & string, step = 1): NumberRange {
  const shape = fieldsOf(call)[name]
  const above = boundOf(shape, 'above')
  const min = boundOf(shape, 'min') ?? (above === undefined ? undefined : above + step)
  const max = boundOf(shape, 'max')
  if (min === undefined || max === undefined)
    throw new Error(`${call.path} does not say between which numbers ${name} is`)
  return { min, max, step }
}

/** It returns the longest text that a field of a call takes, or undefined where the contract sets no limit. */
export const longestText = (call: Call, name: string): number | undefined => {
  const shape = fieldsOf(call)[name]
  return shape && 'text' in shape ? boundOf(shape, 'max') : undefined
}

export function isRequired(call: Call, name: string): boolean {
  const shape = fieldsOf(call)[name]
  if (!shape) return false
  return (!shape.mayBeAbsent && !shape.mayBeNull) || ('text' in shape && (boundOf(shape, 'min') ?? 0) > 0)
}

function boundOf(shape: Shape | undefined, kind: 'min' | 'max' | 'above'): number | undefined {
  const steps = shape && 'text' in shape ? shape.text : shape && 'number' in shape ? shape.number : []
  for (const step of steps) if (typeof step !== 'string' && step[0] === kind) return step[1] as number
  return undefined
}
