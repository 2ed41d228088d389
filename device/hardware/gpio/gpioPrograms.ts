import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { GpioLine } from '#domain/drivers/gpioDescription.ts'
import type { Place } from '../driver.ts'
import { type HeldProgram, holdProgram } from '../exec/heldProgram.ts'
import { createLocalProgram } from '../exec/localProgram.ts'
import { HardwareError } from '../hardware.ts'

const ANSWERS_WITHIN_MS = 2000
/** The kernel must report within this time that a started program holds its line. */
const HELD_WITHIN_MS = 2000
const LOOKS_AGAIN_AFTER_MS = 50

/** The programs of libgpiod, whose version 2 takes other arguments than version 1. */
export interface GpioPrograms {
  /** Returns 0 or 1 for each line, as the chip reports it. */
  levels(lines: readonly number[], signal: AbortSignal): Promise<readonly number[]>
  /**
   * Drives a line for as long as the program runs; the kernel releases it then. Resolves once the kernel reports that
   * the program holds it.
   *
   * @throws HardwareError when the line cannot be held
   */
  drive(line: number, level: number): Promise<HeldProgram>
  /** Calls back each time that a line changes to `level`, while the program runs; otherwise like `drive`. */
  watch(lines: readonly number[], level: 0 | 1, onLine: (line: number) => void): Promise<HeldProgram>
  close(): void
}

export function createGpioPrograms(chip: string, folder: string, { log }: Pick<Place, 'log'>): GpioPrograms {
  const name = 'The program of the GPIO lines'
  const get = createLocalProgram({ program: join(folder, 'gpioget'), name, log })
  const info = createLocalProgram({ program: join(folder, 'gpioinfo'), name, log })
  let version: Promise<1 | 2> | undefined
  /** The text is `gpioget (libgpiod) v1.6.3` or `gpioget (libgpiod) v2.1`. */
  const versionNow = () => {
    version ??= get.run(['--version'], ANSWERS_WITHIN_MS).then((said) => (/ v?1\./.test(said) ? 1 : 2))
    version.catch(() => {
      version = undefined
    })
    return version
  }
  /** The line reads `line 20: unnamed "gpioset" output […]` or `line 20: "GPIO20" output consumer="gpioset"`. */
  const isHeldBy = async (holder: string, line: number) => {
    const args = (await versionNow()) === 1 ? [chip] : ['-c', chip]
    const lines = (await info.run(args, ANSWERS_WITHIN_MS)).split('\n')
    return lines.some((text) => new RegExp(`\\bline +${line}:.*"${holder}"`).test(text))
  }
  const held = async (program: HeldProgram, holder: string, line: number): Promise<HeldProgram> => {
    const endMs = performance.now() + HELD_WITHIN_MS
    while (program.isRunning() && performance.now() < endMs) {
      if (await isHeldBy(holder, line)) return program
      await Promise.race([program.ended, pause(LOOKS_AGAIN_AFTER_MS)])
    }
    await program.end()
    throw new HardwareError(`The GPIO line cannot be had: ${program.complaint() || 'its program does not take it'}.`)
  }
  return {
    levels: async (lines, signal) => {
      const words = lines.map(String)
      const args = (await versionNow()) === 1 ? [chip, ...words] : ['--numeric', '-c', chip, ...words]
      const levels = (await get.run(args, ANSWERS_WITHIN_MS, signal)).trim().split(/\s+/).map(Number)
      if (levels.length === lines.length && levels.every((level) => level === 0 || level === 1)) return levels
      throw new HardwareError(`${name} says something else than levels.`)
    },
    drive: async (line, level) => {
      const setting = `${line}=${level}`
      const args = (await versionNow()) === 1 ? ['--mode=signal', chip, setting] : ['-c', chip, setting]
      return held(holdProgram(join(folder, 'gpioset'), args), 'gpioset', line)
    },
    watch: async (lines, level, onLine) => {
      const words = lines.map(String)
      const edge = level === 1 ? 'rising' : 'falling'
      const args =
        (await versionNow()) === 1
          ? ['--line-buffered', `--${edge}-edge`, '--format=%o', chip, ...words]
          : [`--edges=${edge}`, '--debounce-period=20ms', '--format=%o', '-c', chip, ...words]
      const program = holdProgram(join(folder, 'gpiomon'), args, (text) => onLine(Number(text.trim())))
      return held(program, 'gpiomon', lines[0] ?? 0)
    },
    close: () => {
      get.close()
      info.close()
    },
  }
}

export const levelOf = (isOn: boolean, { isInverted }: GpioLine): 0 | 1 => (isOn === isInverted ? 0 : 1)
