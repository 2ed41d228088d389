import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AssignedRelease } from '#contract/mqtt/client.ts'
import { openClientFolder, programFile, untriedFile } from '#device/launcher/clientFolder.ts'
import { renameDurably } from '#device/launcher/durable.ts'

/** The next client is installed here and started from here. Methods throw as `node:fs` does. */
export interface ClientPlace {
  /** Holds incomplete downloads. */
  readonly downloadFolder: string
  /** The id of the update while this program is on trial. */
  readonly trialId: string | undefined
  /** Returns the whole file of the assigned version if an earlier attempt has installed it. */
  present(offer: AssignedRelease): Uint8Array | undefined
  /** Moves the checked file to where it is started from. */
  keep(offer: AssignedRelease, file: string): void
  /** Whether a program of this version is here that has passed its trial, or came first. */
  hasRun(version: string): boolean
  /** False while the last update is confirmed but not yet the current program: nothing may be planned then. */
  isSettled(): boolean
  /** Once this returns, the next start is the trial of this version. */
  plan(offer: AssignedRelease): void
  /** Confirms that this program is connected and healthy. */
  confirm(updateId: string): void
  /** Returns why the trial of this update failed; undefined when it did not fail, or there was none. */
  failure(updateId: string): string | undefined
  /** Ends this program, so that the planned one is started. */
  restart(): void
}

/** Opens the folder that is shared with the launcher (device/launcher). */
export function openClientPlace(options: {
  readonly folder: string
  readonly trialId: string | undefined
  readonly restart: () => void
}): ClientPlace {
  const folder = openClientFolder(options.folder)
  const pathOf = (file: string) => join(folder.files, file)
  /** A program that was here before needs no copy, and stays whatever the result of the trial is. */
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
