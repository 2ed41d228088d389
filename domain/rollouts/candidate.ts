import { DEVICE_STATUS } from '../devices/status.ts'
import { compareVersions, isVersion } from '../releases/version.ts'

export interface Candidate {
  readonly statusId: number
  /** The version that it last reported; null when it never reported one. */
  readonly version: string | null
  /** Its unfinished update; null when there is none. */
  readonly openUpdate: OpenUpdateOfDevice | null
}

export interface OpenUpdateOfDevice {
  readonly updateId: number
  /** Set if it only waits, because the update is paused or halted. */
  readonly waitsAs: 'paused' | 'halted' | null
}

/** `update` means that it is older or unknown, `downgrade` that it would go back. The others are left out. */
export type Verdict = 'update' | 'downgrade' | 'alreadyThere' | 'deactivated' | 'beingUpdated'

/** Returns what an update to this version means for a device. */
export function verdictOn({ statusId, version, openUpdate }: Candidate, target: string): Verdict {
  if (statusId === DEVICE_STATUS.deactivated) return 'deactivated'
  if (openUpdate) return 'beingUpdated'
  if (version === null || !isVersion(version)) return 'update'
  const difference = compareVersions(version, target)
  return difference === 0 ? 'alreadyThere' : difference > 0 ? 'downgrade' : 'update'
}

/** Nothing updates this device until somebody resumes that update, or leaves the device out of it. */
export const waitingLabel = (name: string, state: 'paused' | 'halted', updateId: number): string =>
  `"${name}": waits in the ${state} update ${updateId}.`

/** Returns why a device is not updated to the newest release (rules/devices 11); undefined if it is. */
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
