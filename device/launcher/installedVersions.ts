import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDamage } from '#domain/releases/verifyRelease.ts'
import { type ClientFolder, isUntried, programFile, type State, versionOfProgram } from './clientFolder.ts'
import { removeDurably, renameDurably, writeDurably } from './durable.ts'

export interface Program {
  readonly path: string
  readonly version: string
}

/** Decides which program is started, tried, kept and deleted. The agent checks signatures before a file comes here. */
export interface InstalledVersions {
  /** Returns the current program, else the newest complete one that has passed, else the first, if any. */
  current(): Promise<Program | undefined>
  /** Returns the next trial, with its attempt already counted on disk; undefined if there is none, or it has failed. */
  nextTrial(): Promise<(Program & { readonly updateId: string }) | undefined>
  isConfirmed(updateId: string): boolean
  /** Makes a confirmed trial the current program. */
  promote(updateId: string): void
  /** Ends the trial; the reason is for operators. */
  fail(reason: string): void
  hasTrial(): boolean
  /** False while the current program came with an update and has not run for long enough yet. */
  isProven(): boolean
  /** The current program has run for long enough, so its later ends are no reason to go back. */
  prove(): void
  /**
   * Counts an end of the current program before it was proven. The last permitted one restores the version before; the
   * reason is for operators.
   *
   * @returns whether another program is the current one now
   */
  noteEarlyEnd(reasonAfter: (ends: number) => string): Promise<boolean>
}

/** A power cut in the middle of a trial costs one of them. */
const MOST_ATTEMPTS = 3
/** A version that has ended this often before it was proven is replaced by the one before. */
const MOST_EARLY_ENDS = 3

export function openInstalledVersions(
  folder: ClientFolder,
  first: string | undefined,
  log: (line: string) => void,
): InstalledVersions {
  const pathOf = (file: string) => join(folder.files, file)

  /** A disk that refuses writes must not keep a client from running; the next start tries again. */
  const attempt = (change: () => void): boolean => {
    try {
      change()
      return true
    } catch (error) {
      log(`The disk does not take it: ${(error as Error).message}.`)
      return false
    }
  }

  const fail = (trial: State<'trial'>, reason: string) => {
    log(`Version ${trial.version} is given up: ${reason}`)
    folder.write('failed', { version: trial.version, updateId: trial.updateId, reason })
    clear(trial)
  }

  const clear = ({ file }: State<'trial'>) => {
    if (isUntried(file)) removeDurably(pathOf(file))
    // This comes last: as long as the file exists, the next start repeats the clean-up.
    folder.remove('trial')
  }

  const promote = ({ version, file: tried, updateId }: State<'trial'>) => {
    const before = folder.read('current')
    // Part of this is done already after a power cut in the middle of this function.
    if (isUntried(tried) && existsSync(pathOf(tried))) renameDurably(pathOf(tried), pathOf(programFile(version)))
    if (before?.updateId !== updateId) {
      // A version that is not proven is nothing to go back to.
      const previous = (before?.earlyEnds === undefined ? before?.file : before.previous) ?? null
      folder.write('current', { version, file: programFile(version), updateId, previous, earlyEnds: 0 })
      log(`Version ${version} is healthy and stays.`)
    }
    folder.remove('trial')
    folder.remove('confirmed')
    const kept = folder.read('current')
    for (const file of folder.programs()) {
      if (file !== kept?.file && file !== kept?.previous) removeDurably(pathOf(file))
    }
  }

  /** Restores the version before one that has been given up. */
  const goBack = ({ file, previous }: State<'current'>): boolean => {
    if (previous === null) return false
    folder.write('current', { version: versionOfProgram(previous), file: previous, previous: null, updateId: null })
    removeDurably(pathOf(file))
    return true
  }

  /** Returns the current program or, if the power went while it was being given up, the one before. */
  const settled = (): State<'current'> | undefined => {
    const current = folder.read('current')
    const isGivenUp = current?.updateId != null && folder.read('failed')?.updateId === current.updateId
    if (current && isGivenUp) attempt(() => goBack(current))
    return folder.read('current')
  }

  /** Completes what a power cut has interrupted between two steps. */
  const settle = (): State<'trial'> | undefined => {
    const trial = folder.read('trial')
    const confirmed = folder.read('confirmed')
    if (trial && confirmed?.updateId === trial.updateId) promote(trial)
    else if (confirmed) folder.remove('confirmed')
    if (trial && folder.read('failed')?.updateId === trial.updateId) clear(trial)
    return folder.read('trial')
  }

  /** Copies the first program in; if the disk refuses the copy, it runs from its original place. */
  const install = async (): Promise<Program | undefined> => {
    if (first === undefined) return undefined
    const content = readFileSync(first)
    const verdict = await findDamage(content)
    if ('refusal' in verdict) throw new Error(`${first} cannot be used: ${verdict.refusal.sentence}`)
    const { version } = verdict.release
    const file = programFile(version)
    const isCopied = attempt(() => {
      writeDurably(pathOf(file), content)
      folder.write('current', { version, file, previous: null, updateId: null })
    })
    return { path: isCopied ? pathOf(file) : first, version }
  }

  return {
    current: async () => {
      const current = settled()
      if (current && (await isWhole(pathOf(current.file)))) {
        return { path: pathOf(current.file), version: current.version }
      }
      const others = [current?.previous, ...folder.programs()].filter((file) => file !== current?.file)
      for (const file of others) {
        if (file == null || !(await isWhole(pathOf(file)))) continue
        const version = versionOfProgram(file)
        log(`The current client is damaged or unknown; version ${version} is started.`)
        attempt(() => folder.write('current', { version, file, previous: null, updateId: null }))
        return { path: pathOf(file), version }
      }
      return install()
    },
    nextTrial: async () => {
      const trial = settle()
      if (!trial) return undefined
      const { version, file, updateId, attempts } = trial
      if (attempts >= MOST_ATTEMPTS) {
        fail(
          trial,
          `Version ${version} was started ${attempts} times, and each time the device stopped before it was connected.`,
        )
        return undefined
      }
      if (!(await isWhole(pathOf(file)))) {
        fail(trial, `The file of version ${version} is missing or damaged on the disk of the device.`)
        return undefined
      }
      folder.write('trial', { ...trial, attempts: attempts + 1 })
      return { path: pathOf(file), version, updateId }
    },
    isConfirmed: (updateId) => folder.read('confirmed')?.updateId === updateId,
    promote: (updateId) => {
      const trial = folder.read('trial')
      if (trial?.updateId === updateId) attempt(() => promote(trial))
    },
    fail: (reason) => {
      const trial = folder.read('trial')
      if (trial) attempt(() => fail(trial, reason))
    },
    hasTrial: () => folder.read('trial') !== undefined,
    isProven: () => folder.read('current')?.earlyEnds === undefined,
    prove: () => {
      const current = folder.read('current')
      if (current?.earlyEnds === undefined) return
      const { earlyEnds: _, ...proven } = current
      if (attempt(() => folder.write('current', proven))) log(`Version ${proven.version} has proven itself.`)
    },
    noteEarlyEnd: async (reasonAfter) => {
      const current = folder.read('current')
      if (current?.updateId == null || current.earlyEnds === undefined) return false
      const { version, updateId, previous } = current
      const earlyEnds = current.earlyEnds + 1
      attempt(() => folder.write('current', { ...current, earlyEnds }))
      if (earlyEnds < MOST_EARLY_ENDS) return false
      if (previous === null || !(await isWhole(pathOf(previous)))) {
        log(`Version ${version} keeps ending, but there is no whole version to go back to.`)
        return false
      }
      const reason = reasonAfter(earlyEnds)
      log(`Version ${version} is given up: ${reason}`)
      return attempt(() => {
        folder.write('failed', { version, updateId, reason })
        goBack(current)
      })
    },
  }
}

async function isWhole(path: string): Promise<boolean> {
  try {
    return 'release' in (await findDamage(readFileSync(path)))
  } catch {
    return false
  }
}
