import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** Passes on to a thread only where Node.js keeps compiled modules, because the rest of our environment holds secrets. */
export function compiledModules(): Readonly<Record<string, string>> {
  const ofThisVersion = getCompileCacheDir()
  return ofThisVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofThisVersion) }
}
