import type { Config } from '../settings/config.ts'

/** The key of backups as it is set; undefined where they are not encrypted. */
export const backupKeyOf = ({ backupKey }: Pick<Config, 'backupKey'>): Buffer | undefined =>
  backupKey === undefined ? undefined : Buffer.from(backupKey, 'hex')
