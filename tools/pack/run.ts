import { spawnSync } from 'node:child_process'

/** The message is shown as it is. */
export class PackError extends Error {}

/** @returns its output */
export function run(program: string, programArguments: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(program, programArguments, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  throw new PackError(`${program} ${programArguments[0]} failed: ${error?.message ?? stderr.trim()}`)
}
