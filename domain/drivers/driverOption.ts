/** What an option is, so that one description makes the check of the totem's file, of the server, and the console's form. */
export type OptionKind = 'address' | 'integer' | 'text' | 'secret' | 'choice' | 'local'

/**
 * One option of a driver. `Value` is what the driver gets: with `undefined` where it may be left out and nothing stands
 * for it.
 */
export interface DriverOption<Value> {
  readonly kind: OptionKind
  /** As the console writes it. */
  readonly label: string
  readonly isRequired: boolean
  /** Stands for what is left out. */
  readonly fallback: Value | undefined
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  /** The value as the driver takes it, or the reason why it is none: what follows the name of the field. */
  readonly read: (value: unknown) => { readonly value: Value } | { readonly reason: string }
}

/** How many characters a text of the console may have. */
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
 * Where the driver connects to. From the console it has to be an IP address within `allowedNetworks` of the totem's own
 * file; that file itself may name any host.
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

/** Taken, kept and given to the device, and never shown again. */
export const secret = (label: string): DriverOption<string> => ({ kind: 'secret', label, ...needed, read: readText })

export const choice = <const Value extends string>(label: string, { values }: Choice<Value>): DriverOption<Value> => ({
  kind: 'choice',
  label,
  ...needed,
  values,
  read: readChoice(values),
})

/**
 * A program, a path, a serial line, a table of registers: set in the totem's own file alone. The console neither sets nor
 * sees it.
 *
 * @param read what it may be
 */
export const local = <Value>(label: string, read: DriverOption<Value>['read']): DriverOption<Value> => ({
  kind: 'local',
  label,
  ...needed,
  read,
})

/** The same option, which may be left out. */
export const optional = <Value>(option: DriverOption<Value>): DriverOption<Value | undefined> => ({
  ...(option as DriverOption<Value | undefined>),
  ...left,
})

/** The same option, and what stands for it when it is left out. */
export const withDefault = <Value>(option: DriverOption<Value>, fallback: Value): DriverOption<Value> => ({
  ...option,
  isRequired: false,
  fallback,
})
