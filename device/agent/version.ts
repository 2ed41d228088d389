import { readFileSync } from 'node:fs'

/** `npm run release` inserts it, because a release is one file without a package beside it. */
declare const WAYSIDE_CLIENT_VERSION: string | undefined

/** Returns the version of this program: of the release that it is, else the one in its package. */
export function clientVersion(): string {
  if (typeof WAYSIDE_CLIENT_VERSION === 'string') return WAYSIDE_CLIENT_VERSION
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
