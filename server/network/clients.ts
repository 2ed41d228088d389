import type { IncomingMessage } from 'node:http'
import {
  formatIpAddress,
  type IpAddress,
  type IpNetwork,
  isWithin,
  parseIpAddress,
  parseIpNetwork,
} from '#domain/network/ipAddress.ts'

interface Connection {
  readonly remoteAddress?: string | undefined
}

/**
 * Identifies a client for limits, audit and logs. Only a trusted proxy is believed, because anybody can write any
 * header. Forwarded hosts and protocols are never read.
 */
export interface Clients {
  readonly isFromProxy: (connection: Connection) => boolean
  /** Stores the client that a trusted proxy named at the beginning of its connection. */
  readonly name: (connection: object, address: IpAddress) => void
  /** Returns the address of the client at the other end; empty when it is gone already. */
  readonly ofConnection: (connection: Connection) => string
  /** Returns the same, and also reads `X-Forwarded-For` of trusted proxies. */
  readonly ofRequest: (request: Pick<IncomingMessage, 'headers'> & { readonly socket: Connection }) => string
}

/** @param trustedProxies addresses and networks, as the setting holds them */
export function createClients(trustedProxies: readonly string[] = []): Clients {
  const trusted = trustedProxies.map(parseIpNetwork).filter((network): network is IpNetwork => network !== undefined)
  const named = new WeakMap<object, IpAddress>()
  const isTrusted = (address: IpAddress) => trusted.some((network) => isWithin(address, network))
  const peerOf = (connection: Connection) => parseIpAddress(connection.remoteAddress ?? '')
  const endOf = (connection: Connection) => named.get(connection) ?? peerOf(connection)
  return {
    isFromProxy: (connection) => {
      const peer = peerOf(connection)
      return peer !== undefined && isTrusted(peer)
    },
    name: (connection, address) => void named.set(connection, address),
    ofConnection: (connection) => textOf(endOf(connection)),
    ofRequest: ({ headers, socket }) => {
      let client = endOf(socket)
      // Hops are read from the right: each proxy adds whom it heard, and all left of a stranger may be invented.
      const hops = forwardedFor(headers['x-forwarded-for'])
      while (client !== undefined && isTrusted(client)) {
        const before = parseHop(hops.pop())
        if (before === undefined) break
        client = before
      }
      return textOf(client)
    },
  }
}

const textOf = (address: IpAddress | undefined) => (address === undefined ? '' : formatIpAddress(address))

function forwardedFor(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text === '' ? [] : text.split(',')
}

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

/** Some proxies add the port. */
function parseHop(hop: string | undefined): IpAddress | undefined {
  const text = hop?.trim() ?? ''
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? []
  return parseIpAddress(ipv6 ?? ipv4 ?? text)
}
