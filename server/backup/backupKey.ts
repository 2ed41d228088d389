import type { Config } from '../settings/config.ts'

/** Returns the key of backups; undefined where they are not encrypted. */
export const backupKeyOf = ({ backupKey }: Pick<Config, 'backupKey'>): Buffer | undefined =>
  backupKey === undefined ? undefined : Buffer.from(backupKey, 'hex')
