import { withoutEnd } from '../texts/withoutEnd.ts'

/**
 * Where a secret that goes to this address is received: scheme, host, port and path. What stands behind a question mark
 * is read by whoever answers there.
 */
export function destinationOf(address: string): string {
  const [, scheme = '', host = '', path = ''] = ADDRESS.exec(address) ?? []
  if (host === '') return address
  const origin = `${scheme}://${host}`.toLowerCase()
  return origin.replace(USUAL_PORT, '$1$2') + withoutEnd(path, '/')
}

const ADDRESS = /^(https?):\/\/([^/?#]+)([^?#]*)/i
const USUAL_PORT = /^(https:.*):443$|^(http:.*):80$/

/** A change of something that keeps secrets, as far as these are concerned. */
export interface SecretMove {
  /** Two destinations that are equal reach the same receiver. */
  readonly from: string
  readonly to: string
  /** Names of the fields whose secrets are kept. */
  readonly kept: readonly string[]
  /** Of those, whose secret this change gives anew or takes away. */
  readonly given: readonly string[]
}

/** The sentence that follows the name of such a field. */
export const TO_BE_GIVEN_ANEW = 'must be entered again, because it would go to another address'

/** Whether a secret that is kept would be sent to somebody who was not given it before. */
export const movesSecrets = ({ from, to, kept }: SecretMove): boolean => kept.length > 0 && from !== to

/**
 * The first secret that the change has to give anew. Nobody is shown a kept secret, so whoever may only change an address
 * would otherwise have it sent to a machine of their own.
 */
export const secretToGiveAnew = (move: SecretMove): string | undefined =>
  movesSecrets(move) ? move.kept.find((name) => !move.given.includes(name)) : undefined
