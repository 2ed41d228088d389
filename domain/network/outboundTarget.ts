import { hasHostBits, type IpAddress, type IpNetwork, isWithin, parseIpAddress, parseIpNetwork } from './ipAddress.ts'

/**
 * Nobody owns these on the internet (IANA's special registries): this machine, private and shared networks, link-local
 * ones, where clouds hand out credentials, examples, benchmarks, multicast, reserved.
 */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Teredo, ORCHID, examples and 6to4 wrap other addresses or none.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(networkOf)

/** All allocated IPv6 addresses; those beyond are link-local, unique local, mapped, translated or unassigned. */
const PUBLIC_IPV6 = networkOf('2000::/3')

/** Whether an address belongs to the internet, which anybody may reach. */
export function isPublicAddress(address: IpAddress): boolean {
  if (address.bits === 128 && !isWithin(address, PUBLIC_IPV6)) return false
  return !NOT_PUBLIC.some((network) => isWithin(address, network))
}

/** The exceptions that an operator allows over TLS: a host by its name, on one port or any, or a network. */
export type OutboundAllowance =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined }
  | { readonly kind: 'network'; readonly network: IpNetwork }

const LARGEST_PORT = 65_535

/** @returns undefined for a text that is neither `host`, `host:port`, an address nor `10.1.0.0/16` */
export function readAllowance(text: string): OutboundAllowance | undefined {
  const network = parseIpNetwork(text)
  if (network) return network.prefixBits === 0 || hasHostBits(network) ? undefined : { kind: 'network', network }
  const [, host, portText] = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (host === undefined) return undefined
  const port = portText === undefined ? undefined : Number(portText)
  if (port !== undefined && (port < 1 || port > LARGEST_PORT)) return undefined
  return { kind: 'host', host: host.toLowerCase(), port }
}

interface ReadAddress {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}

interface Target {
  readonly protocol: string
  /** The name as `URL` writes it: small letters, IPv4 in any form as four numbers, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

const targetOf = ({ protocol, hostname, port }: ReadAddress): Target => ({
  protocol,
  hostname: hostname.replace(/\.$/, ''),
  port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
})

/**
 * Returns why nobody may call this address, whatever it resolves to; undefined if the resolution decides.
 *
 * @param address an absolute one that `URL` has parsed
 */
export function faultOfOutboundAddress(
  address: ReadAddress & { readonly username: string; readonly password: string },
): string | undefined {
  if (!(address.protocol in DEFAULT_PORTS)) return 'must begin with https://'
  if (address.username !== '' || address.password !== '') return 'must hold neither a user name nor a password'
  return undefined
}

/** The address to connect to, or the reason for a refusal in words for whoever entered it. */
export type OutboundChoice = { readonly connectTo: string } | { readonly refused: string }

/**
 * Chooses one of the addresses that a host has at this moment, which must not be resolved again. A host with one
 * address that is not public is refused as a whole, because nobody knows which one is meant.
 */
export function chooseOutboundAddress(
  address: ReadAddress,
  resolved: readonly string[],
  allowed: readonly OutboundAllowance[],
): OutboundChoice {
  const target = targetOf(address)
  const isAllowedName = allowed.some(
    (one) => one.kind === 'host' && one.host === target.hostname && (one.port ?? target.port) === target.port,
  )
  const isAllowedAt = (ip: IpAddress) =>
    isAllowedName || allowed.some((one) => one.kind === 'network' && isWithin(ip, one.network))
  const read = resolved.map((text) => ({ text, ip: parseIpAddress(text) }))
  const [first] = read
  if (first === undefined) return { refused: `${target.hostname} has no address.` }
  const wrong = read.find(({ ip }) => ip === undefined || !(isPublicAddress(ip) || isAllowedAt(ip)))
  if (wrong !== undefined)
    return { refused: `${target.hostname} is not on the internet, and no setting allows it by name.` }
  if (target.protocol !== 'https:' && !read.every(({ ip }) => ip !== undefined && isAllowedAt(ip)))
    return { refused: `${target.hostname} is called by https only: no setting allows it by name.` }
  return { connectTo: first.text }
}

function networkOf(text: string): IpNetwork {
  const network = parseIpNetwork(text)
  if (network === undefined) throw new Error(`${text} is no network.`)
  return network
}
