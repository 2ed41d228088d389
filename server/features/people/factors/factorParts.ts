import type { Db } from '#server/db/database.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { RelyingParty } from './relyingParty.ts'

export interface FactorParts {
  readonly db: Db
  readonly cipher: SecretCipher
  /** Returns the database's time. */
  readonly now: () => Date
  /** Returns undefined where passkeys cannot be used. */
  readonly relyingParty: () => RelyingParty | undefined
}
