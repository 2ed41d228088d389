import { isWithin, parseIpAddress, parseIpNetwork } from './ipAddress.ts'

const LOOPBACKS = ['127.0.0.0/8', '::1'].map(parseIpNetwork)

/** Whether an address can be reached from the same machine alone. A name may mean anything, except this one. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const address = parseIpAddress(host)
  return address !== undefined && LOOPBACKS.some((network) => network !== undefined && isWithin(address, network))
}
