/** The checks of the device's file and of the server, and the console's form, follow from the kind of an option. */
export type OptionKind = 'address' | 'integer' | 'text' | 'secret' | 'choice' | 'local'

/** `Value` is what the driver gets, including `undefined` if it may be left out without a default. */
export interface DriverOption<Value> {
  readonly kind: OptionKind
  readonly label: string
  readonly isRequired: boolean
  /** Replaces a missing value. */
  readonly fallback: Value | undefined
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  /** Returns the validated value, or the reason for its refusal, which follows the name of the field. */
  readonly read: (value: unknown) => { readonly value: Value } | { readonly reason: string }
}

/** A text of the console has at most this many characters. */
const LONGEST_TEXT = 200
/** Control characters would end a line of a line protocol and begin another. */
const PRINTABLE = /^[^\p{Cc}\u2028\u2029]*$/u

type Choice<Value extends string> = { readonly values: readonly [Value, ...Value[]] }
type Range = { readonly minimum: number; readonly maximum: number }

function readText(value: unknown): { readonly value: string } | { readonly reason: string } {
  if (typeof value !== 'string' || value === '') return { reason: 'must be a text' }
  if (value.length > LONGEST_TEXT) return { reason: `must have at most ${LONGEST_TEXT} characters` }
  return PRINTABLE.test(value) ? { value } : { reason: 'must not have control characters or line ends' }
}

const HOST = /^(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.?$|^[0-9A-Fa-f:.]+$/

function readAddress(value: unknown) {
  if (typeof value !== 'string' || value.length > 253 || !HOST.test(value))
    return { reason: 'must be an IP address or a name of a host' }
  return { value }
}

function readInteger({ minimum, maximum }: Range) {
  return (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
      ? { value }
      : { reason: `must be a whole number from ${minimum} to ${maximum}` }
}

function readChoice<Value extends string>(values: readonly Value[]) {
  return (value: unknown) => {
    const found = values.find((one) => one === value)
    return found === undefined ? { reason: `must be one of ${values.join(', ')}` } : { value: found }
  }
}

const needed = { isRequired: true, fallback: undefined } as const
const left = { isRequired: false, fallback: undefined } as const

/**
 * The address that the driver connects to. The console can set only an IP address within `allowedNetworks` of the
 * device's own file; that file itself may name any host.
 */
export const address = (label: string): DriverOption<string> => ({
  kind: 'address',
  label,
  ...needed,
  read: readAddress,
})

export const port = (fallback: number): DriverOption<number> => ({
  ...integer('Port', { minimum: 1, maximum: 65_535 }),
  isRequired: false,
  fallback,
})

export const integer = (label: string, range: Range): DriverOption<number> => ({
  kind: 'integer',
  label,
  ...needed,
  ...range,
  read: readInteger(range),
})

export const text = (label: string): DriverOption<string> => ({ kind: 'text', label, ...needed, read: readText })

/** A secret is accepted, kept and sent to the device, and never shown again. */
export const secret = (label: string): DriverOption<string> => ({ kind: 'secret', label, ...needed, read: readText })

export const choice = <const Value extends string>(label: string, { values }: Choice<Value>): DriverOption<Value> => ({
  kind: 'choice',
  label,
  ...needed,
  values,
  read: readChoice(values),
})

/**
 * A program, a path, a serial line or a table of registers can be set only in the device's own file. The console
 * neither sets nor sees it.
 *
 * @param read validates the value
 */
export const local = <Value>(label: string, read: DriverOption<Value>['read']): DriverOption<Value> => ({
  kind: 'local',
  label,
  ...needed,
  read,
})

/** Makes an option optional. */
export const optional = <Value>(option: DriverOption<Value>): DriverOption<Value | undefined> => ({
  ...(option as DriverOption<Value | undefined>),
  ...left,
})

/** Makes an option optional with a default value. */
export const withDefault = <Value>(option: DriverOption<Value>, fallback: Value): DriverOption<Value> => ({
  ...option,
  isRequired: false,
  fallback,
})
