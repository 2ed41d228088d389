import type { DriverDescription } from './driverDescription.ts'

/** As they are kept: text, numbers, yes or no. */
export type KeptOptions = Readonly<Record<string, string | number | boolean>>
type AskedOptions = Readonly<Record<string, string | number | boolean | null>>

export interface SplitOptions {
  readonly options: KeptOptions
  readonly secrets: KeptOptions
}

/** What of a driver was chosen before; only its own secrets can stay. */
export interface ChosenBefore extends SplitOptions {
  readonly driver: string
}

/**
 * Secrets that somebody left out stay as they were: nobody could write them down again, because they are never shown. But
 * not when the driver is to go elsewhere, or who may set an address would have them sent to a machine of their own.
 */
export function splitOptions(
  description: DriverDescription,
  asked: AskedOptions,
  before: ChosenBefore | undefined,
): SplitOptions {
  const options: Record<string, string | number | boolean> = {}
  const secrets: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(asked)) {
    if (value !== null) (description.options[name]?.kind === 'secret' ? secrets : options)[name] = value
  }
  if (before === undefined || before.driver !== description.name) return { options, secrets }
  if (goesElsewhere(description, before.options, options)) return { options, secrets }
  const stays = Object.entries(before.secrets).filter(([name]) => !Object.hasOwn(asked, name))
  return { options, secrets: { ...Object.fromEntries(stays), ...secrets } }
}

/** Whether one of these would have the driver go elsewhere than the other. */
export const goesElsewhere = (description: DriverDescription, before: AskedOptions, after: AskedOptions): boolean =>
  destination(description, before) !== destination(description, after)

/** Where the driver goes: its addresses, and whatever number may be a port there. */
function destination(description: DriverDescription, options: AskedOptions): string {
  const names = Object.entries(description.options).filter(([, { kind }]) => kind === 'address' || kind === 'integer')
  return JSON.stringify(names.map(([name, { fallback }]) => options[name] ?? fallback ?? null))
}
