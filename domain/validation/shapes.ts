import { tidied } from '../texts/nameRule.ts'
import { mustBeOneOf, notAnEmail, notValid, required } from './messages.ts'
import { TEXT_RULES, type TextRuleName } from './textRules.ts'

/** The steps run in order: blanks that `trim` removes count before it, and no longer after it. */
export type TextStep = 'trim' | TextRuleName | readonly ['min' | 'max', number] | readonly ['pattern', string, 'email'?]

/** `above` means greater than the number. */
export type NumberStep = 'whole' | 'int32' | readonly ['min' | 'max' | 'above', number]

type Given = string | number | boolean | null

/**
 * A value's required shape as plain data: the console checks input by it and reads what comes over the wire, without
 * the library that the contract is written with.
 */
export type Shape = { readonly mayBeAbsent?: true; readonly mayBeNull?: true } & (
  | { readonly text: readonly TextStep[] }
  | { readonly number: readonly NumberStep[] }
  | { readonly yesNo: true }
  | { readonly oneOf: readonly Given[] }
  | { readonly list: Shape; readonly min?: number; readonly max?: number }
  /** `others` is the shape of further names; without it they are ignored. */
  | { readonly record: Shapes; readonly others?: Shape | 'refused' }
  | { readonly anyOf: readonly Shape[] }
  /** Another part checks it. */
  | { readonly anything: true }
)
export type Shapes = Readonly<Record<string, Shape>>

export const fits = (shape: Shape, value: unknown) => faultOf(shape, value, '') === undefined

/** Returns the sentence about an invalid field, the same as the server's; undefined if it is valid. */
export function faultOf(shape: Shape, value: unknown, field: string): string | undefined {
  if ('anything' in shape || (value === undefined && shape.mayBeAbsent)) return undefined
  if (value === undefined) return required(field)
  if (value === null) return shape.mayBeNull ? undefined : required(field)
  if ('text' in shape) return typeof value === 'string' ? textFault(shape.text, value, field) : notValid(field)
  if ('oneOf' in shape) {
    if (shape.oneOf.includes(value as Given)) return undefined
    return shape.oneOf.every((one) => typeof one === 'number') ? mustBeOneOf(field, shape.oneOf) : notValid(field)
  }
  return isOfShape(shape, value) ? undefined : notValid(field)
}

function textFault(steps: readonly TextStep[], given: string, field: string): string | undefined {
  let text = given
  for (const step of steps) {
    if (step === 'trim') text = tidied(text)
    else if (typeof step === 'string') {
      if (!TEXT_RULES[step].holds(text)) return TEXT_RULES[step].says(field)
    } else if (step[0] === 'pattern') {
      if (!new RegExp(step[1], 'u').test(text)) return step[2] === 'email' ? notAnEmail(field) : notValid(field)
    } else if (step[0] === 'max' ? text.length > step[1] : text.length < step[1]) {
      return step[0] === 'min' && tidied(text) === '' ? required(field) : notValid(field)
    }
  }
  return undefined
}

type Compound = Exclude<Shape, { readonly text: unknown } | { readonly oneOf: unknown } | { readonly anything: true }>

function isOfShape(shape: Compound, value: unknown): boolean {
  if ('number' in shape) return Number.isFinite(value) && shape.number.every((step) => isWithin(step, value as number))
  if ('yesNo' in shape) return typeof value === 'boolean'
  if ('anyOf' in shape) return shape.anyOf.some((one) => fits(one, value))
  if ('list' in shape) {
    const { list, min = 0, max = Number.POSITIVE_INFINITY } = shape
    return Array.isArray(value) && value.length >= min && value.length <= max && value.every((each) => fits(list, each))
  }
  return isRecord(shape.record, shape.others, value)
}

function isWithin(step: NumberStep, value: number): boolean {
  if (step === 'whole') return Number.isSafeInteger(value)
  if (step === 'int32') return (value | 0) === value
  const [what, bound] = step
  return what === 'min' ? value >= bound : what === 'max' ? value <= bound : value > bound
}

function isRecord(shapes: Shapes, others: Shape | 'refused' | undefined, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const given = value as Readonly<Record<string, unknown>>
  if (!Object.entries(shapes).every(([name, shape]) => fits(shape, given[name]))) return false
  return (
    others === undefined ||
    Object.keys(given)
      .filter((name) => !Object.hasOwn(shapes, name))
      .every((name) => others !== 'refused' && fits(others, given[name]))
  )
}
