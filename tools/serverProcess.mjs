import { join } from 'node:path'
import { ROOT } from './node24.mjs'

/** Node.js runs the server with these; decisions 159 and 340 say what each is worth. */

/** Our modules without their types, each by its source. */
export const MODULES_FOLDER = process.env.MODULES_FOLDER ?? join(ROOT, 'node_modules/.cache/plain-modules')

export const SERVER_FLAGS = [
  `--import=${new URL('modulesWithoutTypes.mjs', import.meta.url)}?${encodeURIComponent(MODULES_FOLDER)}`,
  /** Node.js says so of the function that takes types away. */
  '--disable-warning=ExperimentalWarning',
  /** Short-lived objects of some batches fit in under load. */
  '--max-semi-space-size=16',
]

export const SERVER_ENVIRONMENT = {
  /** The C library otherwise lets each thread keep freed memory of its own. */
  MALLOC_ARENA_MAX: '2',
}
