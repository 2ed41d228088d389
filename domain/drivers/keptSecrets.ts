import type { SecretMove } from '../secrets/movedSecrets.ts'
import type { DriverDescription } from './driverDescription.ts'

/** As they are kept: text, numbers, yes or no. */
export type KeptOptions = Readonly<Record<string, string | number | boolean>>
type RequestedOptions = Readonly<Record<string, string | number | boolean | null>>

export interface SplitOptions {
  readonly options: KeptOptions
  readonly secrets: KeptOptions
}

/** What of a driver was chosen before; only its own secrets can stay. */
export interface ChosenBefore extends SplitOptions {
  readonly driver: string
}

/**
 * Secrets that somebody left out stay as they were: nobody could write them down again, because they are never shown.
 * Whether they may stay where the driver goes elsewhere is judged before (`secretMoveOf`).
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

/** What a change does with the secrets of a driver that stays the same one. */
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

/** Where the driver goes: its addresses, and whatever number may be a port there. */
function destination(description: DriverDescription, options: RequestedOptions): string {
  const names = Object.entries(description.options).filter(([, { kind }]) => kind === 'address' || kind === 'integer')
  return JSON.stringify(names.map(([name, { fallback }]) => options[name] ?? fallback ?? null))
}
