import { readFile, stat } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { BackupRefused } from './backupRefused.ts'

const DIGITS = /^[0-9a-f]{64}$/i
const READABLE_BY_OTHERS = 0o077

/**
 * The key of backups as it is set; undefined where they are not encrypted.
 *
 * @throws BackupRefused when its file cannot be used; the sentence never holds what is in it
 */
export async function readBackupKey(config: Pick<Config, 'backupKey' | 'backupKeyFile'>): Promise<Buffer | undefined> {
  if (config.backupKey !== undefined) return Buffer.from(config.backupKey, 'hex')
  const file = config.backupKeyFile
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`The key file ${file} cannot be read: ${error.code}.`)
  })
  if (!DIGITS.test(text.trim())) throw new BackupRefused(`The key file ${file} must hold 64 hexadecimal digits.`)
  const { mode } = await stat(file)
  if ((mode & READABLE_BY_OTHERS) !== 0) {
    throw new BackupRefused(`The key file ${file} is open to other users: chmod 600 ${file}.`)
  }
  return Buffer.from(text.trim(), 'hex')
}
