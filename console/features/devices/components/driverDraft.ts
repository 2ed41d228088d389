import type { DeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import { networkProblem, readConsoleOptions } from '#domain/drivers/consoleOptions.ts'
import type { DriverDescription, OptionProblem } from '#domain/drivers/driverDescription.ts'
import { secretMoveOf } from '#domain/drivers/keptSecrets.ts'
import { movesSecrets, secretToGiveAnew, TO_BE_GIVEN_ANEW } from '#domain/secrets/movedSecrets.ts'
import type { DrivenPart } from './driverLabels.ts'

export interface DriverDraft {
  readonly driver: string | null
  readonly texts: Readonly<Record<string, string>>
  readonly taken: readonly string[]
}

type Sent = Record<string, string | number | null>

export function draftOf({ chosen }: DrivenPart): DriverDraft {
  const texts = Object.entries(chosen?.options ?? {}).map(([name, value]) => [name, String(value)])
  return { driver: chosen?.driver ?? null, texts: Object.fromEntries(texts), taken: [] }
}

export const shownOptions = (description: DriverDescription) =>
  Object.entries(description.options).filter(([, { kind }]) => kind !== 'local')

/** A secret that was left empty is not sent, and so it stays. */
export function sentOptions(description: DriverDescription, { texts, taken }: DriverDraft): Sent {
  const sent: Sent = {}
  for (const [name, { kind }] of shownOptions(description)) {
    const text = texts[name]?.trim() ?? ''
    if (text === '') {
      if (kind === 'secret' && taken.includes(name)) sent[name] = null
    } else sent[name] = kind === 'integer' ? Number(text) : text
  }
  return sent
}

interface Secrets {
  readonly kept: readonly string[]
  readonly lost: readonly string[]
}

/** It returns the secrets that stay when nothing is typed, and those that have to be typed again. */
export function secretsOf(description: DriverDescription, part: DrivenPart, draft: DriverDraft): Secrets {
  const { chosen } = part
  if (!chosen || chosen.driver !== description.name) return { kept: [], lost: [] }
  return movesSecrets(secretMoveOf(description, chosen, sentOptions(description, draft)))
    ? { kept: [], lost: chosen.secrets }
    : { kept: chosen.secrets, lost: [] }
}

/** It names what the server or the device would refuse, at its field. */
export function draftProblem(
  description: DriverDescription,
  part: DrivenPart,
  draft: DriverDraft,
  client: DeviceDrivers['client'],
): OptionProblem | undefined {
  const sent = sentOptions(description, draft)
  const { chosen } = part
  const missing =
    chosen?.driver === description.name ? secretToGiveAnew(secretMoveOf(description, chosen, sent)) : undefined
  if (missing !== undefined) return { field: missing, reason: TO_BE_GIVEN_ANEW }
  // A secret that stays counts as present, though its value is not known here.
  const kept = secretsOf(description, part, draft).kept.filter((name) => !Object.hasOwn(sent, name))
  const read = readConsoleOptions(description, { ...sent, ...Object.fromEntries(kept.map((name) => [name, 'kept'])) })
  if ('problem' in read) return read.problem
  return client ? networkProblem(description, sent, client.allowedNetworks) : undefined
}
