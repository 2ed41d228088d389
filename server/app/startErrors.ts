import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError, readConfig } from '../settings/config.ts'

const FOLDER_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full, or has no inodes left',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENAMETOOLONG: 'its path is too long',
}

/** @throws ConfigError of one sentence with the name of the setting */
export async function provideFolder(setting: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigError(`${setting}: the folder ${folder} cannot be used: ${FOLDER_REASONS[code] ?? code}.`)
  }
}

/** Makes folders one by one: where the system makes none, as in /proc, the recursive way of Node.js never ends. */
async function makeFolder(folder: string): Promise<void> {
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder))
  await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    // The folder exists, or another process has just made it; a file is refused.
    await mkdir(folder, { recursive: true })
  })
}

/** Describes what stopped the start, in one sentence where an operator can mend it. */
export function describeError(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return error
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  const where = `port ${port} of ${address}`
  if (syscall === 'connect') return `The database does not answer: ${error.message}.`
  if (code === 'EADDRINUSE') return `Another program listens on ${where}: stop it, or set ${settingOfPort(port)}.`
  if (code === 'EACCES' && port !== undefined) return `This user may not open ${where}: set ${settingOfPort(port)}.`
  // Errors of PostgreSQL are named "error"; a mistake in the program has another name, and needs its stack.
  return error.name.toLowerCase() === 'error' ? error.message : error
}

const settingOfPort = (port: number | undefined) =>
  readConfig().mqttPort === port ? 'WAYSIDE_MQTT_PORT' : 'WAYSIDE_HTTP_PORT'
