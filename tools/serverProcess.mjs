import { join } from 'node:path'
import { ROOT } from './node24.mjs'

/** Node.js runs the server with these; docs/decisions/0159 says what each is worth. */

export const SERVER_FLAGS = [
  /** Short-lived objects of some batches fit in under load. */
  '--max-semi-space-size=16',
]

export const SERVER_ENVIRONMENT = {
  /** Compiled modules save loading the compiler of TypeScript; each is compared with its source. */
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/server'),
  /** The C library otherwise lets each thread keep freed memory of its own. */
  MALLOC_ARENA_MAX: '2',
}
