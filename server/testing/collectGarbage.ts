import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** For tests of what is kept in memory: on a busy machine garbage lies about for as long as it likes. */
export const collectGarbage: () => void = runInNewContext('gc')
