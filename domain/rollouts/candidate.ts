import { DEVICE_STATUS } from '../devices/status.ts'
import { compareVersions, isVersion } from '../releases/version.ts'

/** What is known of a device that was chosen for an update. */
export interface Candidate {
  readonly statusId: number
  /** What it last said to run; null when it never said. */
  readonly version: string | null
  /** The update that it is in and that is not over for it; null when there is none. */
  readonly openUpdate: OpenUpdateOfDevice | null
}

export interface OpenUpdateOfDevice {
  readonly updateId: number
  /** Whether it only waits there, because the update is paused or halted. */
  readonly waitsAs: 'paused' | 'halted' | null
}

/** `update`: it is older, or nobody knows what it runs. `downgrade`: it would go back. The others are left out. */
export type Verdict = 'update' | 'downgrade' | 'alreadyThere' | 'deactivated' | 'beingUpdated'

/** What an update to this version means for a device. */
export function verdictOn({ statusId, version, openUpdate }: Candidate, target: string): Verdict {
  if (statusId === DEVICE_STATUS.deactivated) return 'deactivated'
  if (openUpdate) return 'beingUpdated'
  if (version === null || !isVersion(version)) return 'update'
  const difference = compareVersions(version, target)
  return difference === 0 ? 'alreadyThere' : difference > 0 ? 'downgrade' : 'update'
}

/** Of a device that is updated by nobody until somebody resumes that update, or leaves the device out of it. */
export const waitingLabel = (name: string, state: 'paused' | 'halted', updateId: number): string =>
  `"${name}": waits in the ${state} update ${updateId}.`

/** The sentence for a device that is not updated to the newest release (rules/devices 11); undefined if it is. */
export function refusalText(
  { name, version, openUpdate }: Pick<Candidate, 'version' | 'openUpdate'> & { readonly name: string },
  verdict: Verdict,
  target: string,
): string | undefined {
  if (verdict === 'deactivated') return `"${name}": is deactivated.`
  if (verdict === 'beingUpdated') {
    return openUpdate?.waitsAs
      ? waitingLabel(name, openUpdate.waitsAs, openUpdate.updateId)
      : `"${name}": an update is already running.`
  }
  if (verdict === 'alreadyThere') return `"${name}": already runs ${target}.`
  if (verdict === 'downgrade') return `"${name}": runs ${version}, which is newer than ${target}.`
  return undefined
}
