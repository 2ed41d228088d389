import { secretKeyOf } from '#server/secrets/encryptedText.ts'
import { SecretCipher } from '#server/secrets/SecretCipher.ts'

const KEY = secretKeyOf('a1'.repeat(32))

/** Every test has a cipher like a server's, with the same key. */
export const testCipher = new SecretCipher({ readKeys: () => [KEY], registeredIds: new Set([KEY.id]) })
