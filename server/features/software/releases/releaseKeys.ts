import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RELEASE_KEY_PATTERN } from '#domain/releases/verifyRelease.ts'

/** `npm run release` writes the public half of its key here, in the data folder. */
export const RELEASE_KEY_FILE = 'release-key.pub'

/** Earlier versions made the private half here. The server never reads it, and warns when it finds it. */
export const OLD_KEY_FILE = 'release-key.pem'

export type ReleaseKeys = () => Promise<readonly string[]>

/**
 * Reads the public keys that verify releases: the configured ones and that of the data folder. They are read each time,
 * because the first release makes the key while the server runs.
 */
export function createReleaseKeys(configured: readonly string[], dataFolder: string): ReleaseKeys {
  return async () => {
    const own = await readFile(join(dataFolder, RELEASE_KEY_FILE), 'utf8').then(
      (text) => text.trim(),
      () => '',
    )
    return [...new Set(RELEASE_KEY_PATTERN.test(own) ? [...configured, own] : configured)]
  }
}
