import { hasHostBits, parseIpNetwork } from './ipAddress.ts'

/** Returns why this text cannot name proxies; undefined if it can. */
export function faultOfProxyNetwork(text: string): string | undefined {
  const network = parseIpNetwork(text)
  if (!network)
    return `must be IP addresses or networks such as 10.0.0.0/8 with commas between them, but holds "${text}"`
  if (network.prefixBits === 0) return `would believe everybody with "${text}": name the addresses of your proxies`
  if (hasHostBits(network)) return `holds "${text}", in which bits beyond the prefix are set`
  return undefined
}
