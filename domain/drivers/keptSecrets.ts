import type { SecretMove } from '../secrets/movedSecrets.ts'
import type { DriverDescription } from './driverDescription.ts'

/** Options in their stored form: text, numbers, yes or no. */
export type KeptOptions = Readonly<Record<string, string | number | boolean>>
type RequestedOptions = Readonly<Record<string, string | number | boolean | null>>

export interface SplitOptions {
  readonly options: KeptOptions
  readonly secrets: KeptOptions
}

/** The former choice of a driver; only its own secrets can stay. */
export interface ChosenBefore extends SplitOptions {
  readonly driver: string
}

/**
 * Keeps secrets that were left out, because they are never shown and so cannot be entered again. Whether they may stay
 * with another destination is checked before (`secretMoveOf`).
 */
export function splitOptions(
  description: DriverDescription,
  asked: RequestedOptions,
  before: ChosenBefore | undefined,
): SplitOptions {
  const options: Record<string, string | number | boolean> = {}
  const secrets: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(asked)) {
    if (value !== null) (description.options[name]?.kind === 'secret' ? secrets : options)[name] = value
  }
  if (before === undefined || before.driver !== description.name) return { options, secrets }
  const stays = Object.entries(before.secrets).filter(([name]) => !Object.hasOwn(asked, name))
  return { options, secrets: { ...Object.fromEntries(stays), ...secrets } }
}

/** Returns what a change means for the secrets of the same driver. */
export const secretMoveOf = (
  description: DriverDescription,
  before: { readonly options: RequestedOptions; readonly secrets: readonly string[] },
  asked: RequestedOptions,
): SecretMove => ({
  from: destination(description, before.options),
  to: destination(description, asked),
  kept: before.secrets,
  given: before.secrets.filter((name) => Object.hasOwn(asked, name)),
})

/** Returns the destination of the driver: its addresses, and every number that may be a port. */
function destination(description: DriverDescription, options: RequestedOptions): string {
  const names = Object.entries(description.options).filter(([, { kind }]) => kind === 'address' || kind === 'integer')
  return JSON.stringify(names.map(([name, { fallback }]) => options[name] ?? fallback ?? null))
}
