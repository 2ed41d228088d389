import { fieldIdOfKind } from '../alerts/conditionKinds.ts'
import type { LightKind } from '../darkness/minutes/darkMinutes.ts'
import type { FieldId } from '../ids.ts'
import { isSilence } from '../incidents/occurrence.ts'

/** What status pages show of the light, in the order in which places list it. */
export const PUBLIC_LIGHTS = ['dark', 'unknown', 'planned', 'lit'] as const
export type PublicLight = (typeof PUBLIC_LIGHTS)[number]

export const PUBLIC_LIGHT_WORDS: Readonly<Record<PublicLight, string>> = {
  dark: 'Dark',
  unknown: 'Unknown',
  planned: 'Off as planned',
  lit: 'Lit',
}

/** The reason is hidden from people outside; maintenance says nothing about the light. */
const LIGHT_OF: Readonly<Record<LightKind, PublicLight>> = {
  unplanned: 'dark',
  litInOffTime: 'lit',
  unknown: 'unknown',
  planned: 'planned',
  maintenance: 'unknown',
  lit: 'lit',
}

/** @param light undefined or an unknown word means that it is not known */
export const publicLight = (light: string | null): PublicLight => LIGHT_OF[light as LightKind] ?? 'unknown'

const counted = (count: number) => `${count.toLocaleString('en-US')} display${count === 1 ? '' : 's'}`

export function publicSummary(lights: readonly PublicLight[]): string {
  const count = (which: PublicLight) => lights.filter((light) => light === which).length
  const [dark, unknown, planned] = [count('dark'), count('unknown'), count('planned')]
  if (lights.length === 0) return 'There are no displays here yet.'
  if (dark > 0) return `${dark.toLocaleString('en-US')} of ${counted(lights.length)} ${dark === 1 ? 'is' : 'are'} dark.`
  if (unknown === lights.length) return 'Nothing is known of the displays right now.'
  if (unknown > 0)
    return `No display is known to be dark; ${unknown.toLocaleString('en-US')} of ${counted(lights.length)} ${unknown === 1 ? 'is' : 'are'} unknown.`
  return planned > 0 ? 'All displays are as planned.' : 'All displays are lit.'
}

export const isOfDarkness = (fieldId: FieldId): boolean => fieldId === fieldIdOfKind('dark')

/** Describes an incident to people outside: the root cause without internal details. */
const publicCause = (fieldId: FieldId): string =>
  isSilence(fieldId) ? 'Not reachable' : isOfDarkness(fieldId) ? PUBLIC_LIGHT_WORDS.dark : 'Technical disturbance'

/** Names a dark display that no incident covers. */
export const publicDark = (name: string): string => `${name}: ${PUBLIC_LIGHT_WORDS.dark}`

/** @param deviceName the only affected device */
export const publicTitle = (fieldId: FieldId, deviceCount: number, deviceName: string): string =>
  `${deviceCount === 1 && deviceName !== '' ? deviceName : counted(deviceCount)}: ${publicCause(fieldId)}`
