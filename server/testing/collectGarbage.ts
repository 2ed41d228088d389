import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Tests about memory need it: on a busy machine garbage stays as long as it likes. */
export const collectGarbage: () => void = runInNewContext('gc')
