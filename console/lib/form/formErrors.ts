import { fieldsOf } from '#console/lib/call/plainContract.ts'
import type { BodyOf, Call, QueryOf } from '#contract/call/call.ts'
import { required } from '#domain/validation/messages.ts'
import { faultOf } from '#domain/validation/shapes.ts'

export type Values = Readonly<Record<string, unknown>>
export type FieldErrors<V> = Partial<Record<keyof V & string, string | undefined>>

/** A call takes its fields in the address or in the body; the one that takes none has no names of its own. */
type Content<C extends Call> = string extends keyof BodyOf<C> ? QueryOf<C> : BodyOf<C>
/** What the call would be given; what nobody has filled in yet is undefined. */
export type Draft<C extends Call> = { readonly [Name in keyof Content<C>]?: Content<C>[Name] | undefined }

/** What the fields of a form have to be. */
export interface FormRules<C extends Call, V extends Values> {
  /** Of fields named as on the wire, in the order of the screen. */
  readonly labels: Readonly<Record<keyof V & string, string>>
  /** The fields as the call takes them: what its contract entry says of each is judged here. */
  readonly content: (values: V) => Draft<C>
  /** What this form asks for beyond what the call does. */
  readonly requires?: readonly (keyof V & string)[]
  /** What is wrong and no field tells by itself. */
  readonly check?: (values: V) => FieldErrors<V>
}

/** The sentence for each field that is filled in wrongly. */
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
