import { join } from 'node:path'
import type { GpioLine } from '#domain/drivers/gpioDescription.ts'
import type { Place } from '../driver.ts'
import { type HeldProgram, holdProgram } from '../exec/heldProgram.ts'
import { createLocalProgram } from '../exec/localProgram.ts'
import { HardwareError } from '../hardware.ts'

const ANSWERS_WITHIN_MS = 2000

/** The programs of libgpiod, of which version 2 takes other arguments than version 1. */
export interface GpioPrograms {
  /** 0 or 1 of each line, as the chip has it. */
  levels(lines: readonly number[], signal: AbortSignal): Promise<readonly number[]>
  /** Drives a line for as long as the program runs; the kernel lets it go then. */
  drive(line: number, level: number): Promise<HeldProgram>
  /** Tells each time that a line goes over to `level`, while it runs. */
  watch(lines: readonly number[], level: 0 | 1, onLine: (line: number) => void): Promise<HeldProgram>
  close(): void
}

export function createGpioPrograms(chip: string, folder: string, { log }: Pick<Place, 'log'>): GpioPrograms {
  const name = 'The program of the GPIO lines'
  const get = createLocalProgram({ program: join(folder, 'gpioget'), name, log })
  let version: Promise<1 | 2> | undefined
  /** `gpioget (libgpiod) v1.6.3`, `gpioget (libgpiod) v2.1`. */
  const versionNow = () => {
    version ??= get.run(['--version'], ANSWERS_WITHIN_MS).then((said) => (/ v?1\./.test(said) ? 1 : 2))
    version.catch(() => {
      version = undefined
    })
    return version
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
      return holdProgram(join(folder, 'gpioset'), args)
    },
    watch: async (lines, level, onLine) => {
      const words = lines.map(String)
      const edge = level === 1 ? 'rising' : 'falling'
      const args =
        (await versionNow()) === 1
          ? ['--line-buffered', `--${edge}-edge`, '--format=%o', chip, ...words]
          : [`--edges=${edge}`, '--debounce-period=20ms', '--format=%o', '-c', chip, ...words]
      return holdProgram(join(folder, 'gpiomon'), args, (text) => onLine(Number(text.trim())))
    },
    close: () => get.close(),
  }
}

export const levelOf = (isOn: boolean, { isInverted }: GpioLine): 0 | 1 => (isOn === isInverted ? 0 : 1)
