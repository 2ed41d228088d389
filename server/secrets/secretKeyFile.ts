import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { type SecretKey, secretKeyOf } from './encryptedText.ts'

export type SecretKeyConfig = Pick<Config, 'dataFolder' | 'secretsKey' | 'secretsOldKey'>

/** The file lies in the data folder, and never in a backup of it. */
const SECRET_KEY_FILE = 'secrets.key'
const KEY_LINE = /^[0-9a-f]{64}$/i

export const secretKeyPath = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, SECRET_KEY_FILE)

/** Reads the keys from the settings, or else from the file; the first one encrypts. */
export function readSecretKeys(config: SecretKeyConfig): readonly SecretKey[] {
  const { secretsKey, secretsOldKey } = config
  const digits = secretsKey === undefined ? keyLines(secretKeyPath(config)) : [secretsKey, secretsOldKey ?? '']
  return digits.filter((line) => KEY_LINE.test(line)).map(secretKeyOf)
}

function keyLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Writes the file whole or not at all, and onto the disk before anything is encrypted by a key in it. */
export function writeSecretKeys(config: SecretKeyConfig, keys: readonly SecretKey[]): void {
  const path = secretKeyPath(config)
  const file = openSync(`${path}.new`, 'w', 0o600)
  writeSync(file, keys.map(({ bytes }) => `${bytes.toString('hex')}\n`).join(''))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
