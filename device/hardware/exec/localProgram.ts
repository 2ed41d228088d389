import { HardwareError } from '../hardware.ts'
import { killGroup, type Running, runProgram } from './runProgram.ts'

/** A local program that answers by its output, and reports errors by its exit code. */
export interface LocalProgram {
  /**
   * @returns the output
   * @throws HardwareError when the exit code is not 0; its error output goes to the device's own log
   */
  run(args: readonly string[], withinMs: number, signal?: AbortSignal): Promise<string>
  close(): void
}

interface ProgramDeps {
  readonly program: string
  /** The name in sentences for operators, so it is no path. */
  readonly name: string
  /** The sentence for a failed run; without it, the exit code is named. */
  readonly failure?: string
  readonly log: (line: string) => void
  readonly environment?: Readonly<Record<string, string>>
}

export function createLocalProgram({ program, name, failure, log, environment }: ProgramDeps): LocalProgram {
  const running: Running = new Set()
  return {
    run: async (args, withinMs, signal) => {
      const how = {
        program,
        arguments: args,
        withinMs,
        name,
        ...(signal && { signal }),
        ...(environment && { environment }),
      }
      const { code, output, complaint } = await runProgram(how, running)
      if (code === 0) return output
      log(`${name} complains: ${(complaint || output).trim().split('\n')[0] || 'nothing'}`)
      throw new HardwareError(failure ?? `${name} ended with code ${code}.`)
    },
    close: () => running.forEach(killGroup),
  }
}
