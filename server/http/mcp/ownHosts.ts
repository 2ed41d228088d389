import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '#domain/network/loopback.ts'
import { CallError } from '../call/callError.ts'

interface Request {
  readonly headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>
  /** The local address of the connection, by which the client has reached this machine. */
  readonly localAddress: string | undefined
}

/**
 * Refuses requests that a foreign page makes in the browser of somebody who reaches this server. It could come from its
 * own address, or by a name that it has pointed here meanwhile (DNS rebinding), which the browser takes for the page's
 * own.
 * @param ownUrl the address where people reach the server
 * @throws CallError `forbidden`
 */
export function refuseForeignHost({ headers, localAddress }: Request, ownUrl: string): void {
  const { host = '', origin } = headers
  const own = new URL(ownUrl)
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  const isOwn = asked === own.hostname || isLoopback(plain(asked)) || plain(asked) === plain(localAddress ?? '')
  if (asked === '' || !isOwn) throw new CallError('forbidden', NOT_OURS)
  const isFromOwnPage = origin === undefined || origin === own.origin || originHost(origin) === host
  if (!isFromOwnPage) throw new CallError('forbidden', 'Origin: is not an address of this server.')
}

const NOT_OURS = 'Host: is not an address of this server. WAYSIDE_PUBLIC_URL says which is.'

/** Sockets and URLs write the same address differently; this gives both one form. */
const plain = (address: string) => address.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=[\d.]+$)/, '')

const originHost = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined)
