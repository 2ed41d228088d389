import { join } from 'node:path'
import { ROOT } from './node24.mjs'

/** How Node.js runs the server; what each is worth stands in docs/decisions/0159. */

export const SERVER_FLAGS = [
  /** What is thrown away at once has room for some batches under load. */
  '--max-semi-space-size=16',
]

export const SERVER_ENVIRONMENT = {
  /** Compiled modules, so that the compiler of TypeScript is not even loaded; each is compared with its source. */
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/server'),
  /** Of the C library: else each thread keeps freed memory of its own. */
  MALLOC_ARENA_MAX: '2',
}
