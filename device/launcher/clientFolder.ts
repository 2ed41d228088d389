import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareVersions, isVersion } from '#domain/releases/version.ts'
import { removeDurably, writeDurably } from './durable.ts'

/** With it the agent ends when the launcher is to start the next version. */
export const NEXT_VERSION_EXIT_CODE = 75

/** What a client says to its launcher after each look; one of a version that does not say it is not waited for. */
export const ALIVE = 'alive'

/** What lies in the folder that launcher and agent share. `file` is a name in `files/`. */
interface States {
  /**
   * What is started. `previous` is kept to go back to. `earlyEnds` counts how often a version that an update brought has
   * ended before it had proven itself; it is absent as soon as it has, and of one that came first.
   */
  current: { version: string; file: string; previous: string | null; updateId: string | null; earlyEnds?: number }
  /** Written by the agent: what is to be tried next. `attempts`: how often the launcher has begun to. */
  trial: { version: string; file: string; updateId: string; attempts: number }
  /** Written by the agent of a trial: it is connected, and the server has stored its first report. */
  confirmed: { updateId: string }
  /** The last version that was given up, in its trial or soon after it, and why, in whole words. */
  failed: { version: string; updateId: string; reason: string }
}
export type State<Name extends keyof States> = Readonly<States[Name]>

/**
 * The folder `client/` below the data folder of an agent: programs in `files/`, what is not here yet in `download/`, and
 * a small file for each state. Every change is whole or has not happened, wherever the power goes.
 */
export interface ClientFolder {
  /** `undefined` where there is none, or one that cannot be read. */
  read<Name extends keyof States>(name: Name): State<Name> | undefined
  write<Name extends keyof States>(name: Name, state: State<Name>): void
  remove(name: keyof States): void
  readonly files: string
  readonly download: string
  /** Programs that have passed, the newest version first. */
  programs(): readonly string[]
}

/** Of a program that has passed its trial, or came first. */
export const programFile = (version: string) => `${version}.mjs`
/** Of one that nobody has seen running on this device; it is started in a trial only. */
export const untriedFile = (version: string) => `${version}.untried.mjs`
export const isUntried = (file: string) => file.endsWith('.untried.mjs')
export const versionOfProgram = (file: string) => file.slice(0, -'.mjs'.length)

/** Makes the folder where there is none. Throws as `node:fs`. */
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
/** A name, and no way out of the folder. */
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
