import { withoutEnd } from '../texts/withoutEnd.ts'

/**
 * Returns the receiver of a secret that goes to this address: scheme, host, port and path. The same receiver reads what
 * follows a question mark.
 */
export function destinationOf(address: string): string {
  const [, scheme = '', host = '', path = ''] = ADDRESS.exec(address) ?? []
  if (host === '') return address
  const origin = `${scheme}://${host}`.toLowerCase()
  return origin.replace(USUAL_PORT, '$1$2') + withoutEnd(path, '/')
}

const ADDRESS = /^(https?):\/\/([^/?#]+)([^?#]*)/i
const USUAL_PORT = /^(https:.*):443$|^(http:.*):80$/

/** A change of something with secrets, as far as it concerns them. */
export interface SecretMove {
  /** Two equal destinations reach the same receiver. */
  readonly from: string
  readonly to: string
  readonly kept: readonly string[]
  /** The kept fields whose secret this change replaces or deletes. */
  readonly given: readonly string[]
}

/** The sentence that follows the name of such a field. */
export const TO_BE_GIVEN_ANEW = 'must be entered again, because it would go to another address'

/** Whether a kept secret would be sent to a receiver that did not have it before. */
export const movesSecrets = ({ from, to, kept }: SecretMove): boolean => kept.length > 0 && from !== to

/**
 * Returns the first secret that the change must enter again. Kept secrets are never shown, so a person who may only
 * change an address could otherwise send them to a machine of their own.
 */
export const secretToGiveAnew = (move: SecretMove): string | undefined =>
  movesSecrets(move) ? move.kept.find((name) => !move.given.includes(name)) : undefined
