import type { EventTypeTopic } from '../catalogue/eventTypes.ts'
import type { DriverOption } from './driverOption.ts'

/** The public description of a driver: its form, its valid options, and the parts that it supports. */
export interface DriverDescription {
  readonly name: string
  readonly title: string
  readonly parts: readonly EventTypeTopic[]
  /**
   * A driver with `file` starts programs or opens files, so only the device's own file can choose it. The console
   * receives only its name.
   */
  readonly chosenBy: 'console' | 'file'
  readonly options: Readonly<Record<string, DriverOption<unknown>>>
}

export type OptionsOf<Description extends DriverDescription> = {
  readonly [Name in keyof Description['options']]: Description['options'][Name] extends DriverOption<infer Value>
    ? Value
    : never
}

/** `field` is the name of an option, or `driver`. */
export interface OptionProblem {
  readonly field: string
  readonly reason: string
}

/**
 * Validates the options of a driver.
 *
 * @param given the written values, without `driver`
 */
export function readOptions<Description extends DriverDescription>(
  description: Description,
  given: Readonly<Record<string, unknown>>,
): { readonly options: OptionsOf<Description> } | { readonly problem: OptionProblem } {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(description.options, name))
  if (unknown !== undefined) {
    const known = Object.keys(description.options).join(', ')
    return {
      problem: { field: unknown, reason: `is not an option of the driver ${description.name}, which has ${known}` },
    }
  }
  const options: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(description.options)) {
    const value = given[name]
    if (value === undefined || value === null) {
      if (option.isRequired) return { problem: { field: name, reason: 'is required' } }
      options[name] = option.fallback
      continue
    }
    const read = option.read(value)
    if ('reason' in read) return { problem: { field: name, reason: read.reason } }
    options[name] = read.value
  }
  return { options: options as OptionsOf<Description> }
}
