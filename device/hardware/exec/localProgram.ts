import { HardwareError } from '../hardware.ts'
import { killGroup, type Running, runProgram } from './runProgram.ts'

/** A program of the totem that answers by what it prints, and complains by how it ends. */
export interface LocalProgram {
  /**
   * @returns what it printed
   * @throws HardwareError when it ends with another code than 0; what it complained goes to the totem's own log
   */
  run(args: readonly string[], withinMs: number, signal?: AbortSignal): Promise<string>
  /** Ends what of it runs. */
  close(): void
}

interface ProgramDeps {
  readonly program: string
  /** What a sentence calls it: no path, because operators read it. */
  readonly name: string
  /** What it means when it complains; that it ended with a code, unless it is said. */
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
