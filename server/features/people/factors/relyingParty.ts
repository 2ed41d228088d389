import { parseIpAddress } from '#domain/network/ipAddress.ts'

/** As browsers and passkeys know this server. */
export interface RelyingParty {
  readonly rpId: string
  readonly origin: string
}

const THIS_MACHINE = 'localhost'

/**
 * Passkeys belong to a name, and browsers offer them by HTTPS alone, but on the machine itself.
 *
 * @param httpUrl where people find the server; of a machine that has told nobody its address, it is `localhost`
 * @returns undefined where there can be no passkeys
 */
export function relyingPartyOf(httpUrl: string, isPublic: boolean): RelyingParty | undefined {
  const url = new URL(httpUrl)
  if (!isPublic) url.hostname = THIS_MACHINE
  const { hostname, protocol, origin } = url
  if (parseIpAddress(hostname.replaceAll(/[[\]]/g, '')) !== undefined) return undefined
  if (protocol !== 'https:' && hostname !== THIS_MACHINE) return undefined
  return { rpId: hostname, origin }
}
