import { secretKeyOf } from '#server/secrets/encryptedText.ts'
import { SecretCipher } from '#server/secrets/SecretCipher.ts'

const KEY = secretKeyOf('a1'.repeat(32))

/** As a server has one, by the same key in each test. */
export const testCipher = new SecretCipher({ readKeys: () => [KEY], registeredIds: new Set([KEY.id]) })
