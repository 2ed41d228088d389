import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareVersions, isVersion } from '#domain/releases/version.ts'
import { removeDurably, writeDurably } from './durable.ts'

/** The agent ends with this code when the launcher shall start the next version. */
export const NEXT_VERSION_EXIT_CODE = 75

/** A client sends this to its launcher after each sample; a version that never sends it is not watched. */
export const ALIVE = 'alive'

/** The files in the folder that launcher and agent share. `file` is a name in `files/`. */
interface States {
  /**
   * The program to start. `previous` is kept to go back to. `earlyEnds` counts how often a version from an update has
   * ended before it was proven; it is absent once it is, and for the first version.
   */
  current: { version: string; file: string; previous: string | null; updateId: string | null; earlyEnds?: number }
  /** The agent writes which version to try next. `attempts` counts how often the launcher has begun to. */
  trial: { version: string; file: string; updateId: string; attempts: number }
  /** The agent on trial writes that it is connected, and the server has stored its first report. */
  confirmed: { updateId: string }
  /** The last version that was given up, in its trial or soon after it, and the reason in whole words. */
  failed: { version: string; updateId: string; reason: string }
}
export type State<Name extends keyof States> = Readonly<States[Name]>

/**
 * The folder `client/` below the data folder of an agent: programs in `files/`, incomplete ones in `download/`, and a
 * small file for each state. Every change is atomic, whenever the power goes.
 */
export interface ClientFolder {
  /** Returns undefined if there is none, or it cannot be read. */
  read<Name extends keyof States>(name: Name): State<Name> | undefined
  write<Name extends keyof States>(name: Name, state: State<Name>): void
  remove(name: keyof States): void
  readonly files: string
  readonly download: string
  /** Returns the programs that have passed, the newest version first. */
  programs(): readonly string[]
}

/** A program under this name has passed its trial, or came first. */
export const programFile = (version: string) => `${version}.mjs`
/** A program under this name has never run on this device and is started only on trial. */
export const untriedFile = (version: string) => `${version}.untried.mjs`
export const isUntried = (file: string) => file.endsWith('.untried.mjs')
export const versionOfProgram = (file: string) => file.slice(0, -'.mjs'.length)

/** Creates the folder if it is missing. Throws as `node:fs` does. */
export function openClientFolder(folder: string): ClientFolder {
  const [files, download] = [join(folder, 'files'), join(folder, 'download')]
  for (const each of [files, download]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const pathOf = (name: keyof States) => join(folder, `${name}.json`)
  return {
    files,
    download,
    read: (name) => {
      try {
        const content = JSON.parse(readFileSync(pathOf(name), 'utf8'))
        return IS_STATE[name](content) ? content : undefined
      } catch {
        return undefined
      }
    },
    write: (name, state) => writeDurably(pathOf(name), JSON.stringify(state)),
    remove: (name) => removeDurably(pathOf(name)),
    programs: () =>
      readdirSync(files)
        .filter((file) => file.endsWith('.mjs') && isVersion(versionOfProgram(file)))
        .sort((one, other) => compareVersions(versionOfProgram(other), versionOfProgram(one))),
  }
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
/** Accepts only a plain file name, so that it cannot leave the folder. */
const isProgram = (value: unknown) =>
  typeof value === 'string' &&
  /^[\d.]+(\.untried)?\.mjs$/.test(value) &&
  isVersion(value.replace(/(\.untried)?\.mjs$/, ''))

const IS_STATE: { readonly [Name in keyof States]: (content: Record<string, unknown>) => boolean } = {
  current: ({ version, file, previous, earlyEnds }) =>
    isText(version) &&
    isProgram(file) &&
    (previous === null || isProgram(previous)) &&
    (earlyEnds === undefined || Number.isSafeInteger(earlyEnds)),
  trial: ({ version, file, updateId, attempts }) =>
    isText(version) && isProgram(file) && isText(updateId) && Number.isSafeInteger(attempts),
  confirmed: ({ updateId }) => isText(updateId),
  failed: ({ version, updateId, reason }) => isText(version) && isText(updateId) && isText(reason),
}
