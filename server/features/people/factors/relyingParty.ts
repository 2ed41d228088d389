import { parseIpAddress } from '#domain/network/ipAddress.ts'

/** This server as browsers and passkeys know it. */
export interface RelyingParty {
  readonly rpId: string
  readonly origin: string
}

const THIS_MACHINE = 'localhost'

/**
 * Makes the relying party. Passkeys belong to a host name, and browsers offer them only over HTTPS or on the machine
 * itself.
 * @param httpUrl the address where people find the server; it becomes `localhost` when no public address is set
 * @returns undefined where passkeys cannot be used
 */
export function relyingPartyOf(httpUrl: string, isPublic: boolean): RelyingParty | undefined {
  const url = new URL(httpUrl)
  if (!isPublic) url.hostname = THIS_MACHINE
  const { hostname, protocol, origin } = url
  if (parseIpAddress(hostname.replaceAll(/[[\]]/g, '')) !== undefined) return undefined
  if (protocol !== 'https:' && hostname !== THIS_MACHINE) return undefined
  return { rpId: hostname, origin }
}
