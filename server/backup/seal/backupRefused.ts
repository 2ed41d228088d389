/** Thrown with one sentence that says which copy, target or wish cannot be used, and why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
