/** Its one sentence says which copy, target or request cannot be used, and why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
