import { fieldsOf } from '#console/lib/call/plainContract.ts'
import type { Call, QuestionOf } from '#contract/call/call.ts'
import { required } from '#domain/validation/messages.ts'
import { faultOf } from '#domain/validation/shapes.ts'

export type Values = Readonly<Record<string, unknown>>
export type FieldErrors<V> = Partial<Record<keyof V & string, string | undefined>>

/** A field that nobody has filled in yet is undefined. */
export type Draft<C extends Call> = { readonly [Name in keyof QuestionOf<C>]?: QuestionOf<C>[Name] | undefined }

export interface FormRules<C extends Call, V extends Values> {
  readonly labels: Readonly<Record<keyof V & string, string>>
  readonly content: (values: V) => Draft<C>
  readonly requires?: readonly (keyof V & string)[]
  readonly check?: (values: V) => FieldErrors<V>
}

export function formErrors<C extends Call, V extends Values>(
  call: C,
  values: V,
  { labels, content, requires = [], check }: FormRules<C, V>,
): FieldErrors<V> {
  const shapes = fieldsOf(call)
  const draft = content(values) as Values
  const others: Readonly<Record<string, string | undefined>> = check?.(values) ?? {}
  const errors: Record<string, string> = {}
  for (const [name, label] of Object.entries<string>(labels)) {
    const shape = shapes[name]
    const missing = requires.includes(name) && isBlank(values[name]) ? required(label) : undefined
    const wrong = missing ?? (shape && faultOf(shape, draft[name], label)) ?? others[name]
    if (wrong !== undefined) errors[name] = wrong
  }
  return errors as FieldErrors<V>
}

const isBlank = (value: unknown) => value === undefined || value === null || String(value).trim() === ''
