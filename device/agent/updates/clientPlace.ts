import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AssignedRelease } from '#contract/mqtt/client.ts'
import { openClientFolder, programFile, untriedFile } from '#device/launcher/clientFolder.ts'
import { renameDurably } from '#device/launcher/durable.ts'

/** Where the next client goes, and who starts it. Methods throw as `node:fs`. */
export interface ClientPlace {
  /** For what is not here yet. */
  readonly downloadFolder: string
  /** Set while this very program is being tried; it is the id of the update. */
  readonly trialId: string | undefined
  /** The whole file of the offer's version, where an earlier try has put it. */
  present(offer: AssignedRelease): Uint8Array | undefined
  /** Puts the checked file where it is started from. */
  keep(offer: AssignedRelease, file: string): void
  /** Whether a program of this version is here that has passed, or came first. */
  hasRun(version: string): boolean
  /** False while the update before is confirmed, but its program not yet the current one: nothing may be planned. */
  isSettled(): boolean
  /** From its return on the next start is the trial of this version. */
  plan(offer: AssignedRelease): void
  /** This program is connected and healthy. */
  confirm(updateId: string): void
  /** Why the trial of this update went wrong; `undefined` when it did not, or was none. */
  failure(updateId: string): string | undefined
  /** Ends this program, so that the planned one is started. */
  restart(): void
}

/** The folder that is shared with the launcher (device/launcher). */
export function openClientPlace(options: {
  readonly folder: string
  readonly trialId: string | undefined
  readonly restart: () => void
}): ClientPlace {
  const folder = openClientFolder(options.folder)
  const pathOf = (file: string) => join(folder.files, file)
  /** One that was here before needs no copy, and stays whatever comes of the trial. */
  const fileOf = ({ version }: AssignedRelease) =>
    existsSync(pathOf(untriedFile(version))) ? untriedFile(version) : programFile(version)
  return {
    downloadFolder: folder.download,
    trialId: options.trialId,
    present: (offer) => (existsSync(pathOf(fileOf(offer))) ? readFileSync(pathOf(fileOf(offer))) : undefined),
    keep: ({ version }, file) => renameDurably(file, pathOf(untriedFile(version))),
    hasRun: (version) => existsSync(pathOf(programFile(version))),
    isSettled: () => folder.read('confirmed') === undefined,
    plan: (offer) => {
      const { version, updateId } = offer
      folder.write('trial', { version, file: fileOf(offer), updateId, attempts: 0 })
    },
    confirm: (updateId) => folder.write('confirmed', { updateId }),
    failure: (updateId) => {
      const failed = folder.read('failed')
      return failed?.updateId === updateId ? failed.reason : undefined
    },
    restart: options.restart,
  }
}
