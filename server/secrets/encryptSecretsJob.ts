import { HOUR_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import type { SecretCipher } from './SecretCipher.ts'
import { encryptAll } from './secretPlaces.store.ts'

/** Encrypts values that an earlier version stored as plain text, or that an earlier key encrypted. */
export const encryptSecretsJob = (cipher: SecretCipher): Job => ({
  name: 'encrypt secrets',
  everyMs: HOUR_MS,
  async run(owner) {
    const { unreadable } = await encryptAll(owner, cipher)
    // Nothing counts as lost while the key is missing.
    cipher.unreadableCount = cipher.hasKey ? unreadable : 0
  },
})
