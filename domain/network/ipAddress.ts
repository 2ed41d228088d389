/** An address as a number. An IPv4 address wrapped in IPv6 (`::ffff:192.0.2.1`) is the IPv4 address itself. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

export interface IpNetwork {
  readonly first: IpAddress
  readonly prefixBits: number
}

const MAPPED_IPV4 = 0xffffn
const IPV4_MASK = 0xffff_ffffn
/** A household or an office has as many IPv6 addresses as it likes, but one /64. */
const IPV6_CLIENT_BITS = 64

/**
 * @returns undefined for a text that is no address; a zone (`%eth0`) has a meaning only on its own machine and is left
 * out
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const ipv4 = parseIpv4(text)
  if (ipv4 !== undefined) return { bits: 32, value: ipv4 }
  const value = parseIpv6(text.split('%', 1)[0] ?? '')
  if (value === undefined) return undefined
  return value >> 32n === MAPPED_IPV4 ? { bits: 32, value: value & IPV4_MASK } : { bits: 128, value }
}

/** Writes it as RFC 5952 does, so that one address has one text. */
export function formatIpAddress({ bits, value }: IpAddress): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(16 * (7 - at))) & 0xffffn).toString(16))
  const zeros = groups.map((_, at) => zerosFrom(groups, at))
  const longest = Math.max(...zeros)
  if (longest < 2) return groups.join(':')
  const at = zeros.indexOf(longest)
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + longest).join(':')}`
}

/** Reads one address, or an address and the number of bits that count: `10.0.0.0/8`. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const [, addressText = '', prefixText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const first = parseIpAddress(addressText)
  if (first === undefined || addressText.includes('%')) return undefined
  const prefixBits = prefixText === undefined ? first.bits : Number(prefixText)
  const isMapped = first.bits === 32 && addressText.includes(':')
  // The bits of an IPv6 text do not match those of the IPv4 address within.
  if (prefixBits > first.bits || (isMapped && prefixText !== undefined)) return undefined
  return { first, prefixBits }
}

/** Whether bits beyond the prefix are set, which is most likely a typing error. */
export const hasHostBits = ({ first, prefixBits }: IpNetwork): boolean => networkOf(first, prefixBits) !== first.value

export function isWithin(address: IpAddress, { first, prefixBits }: IpNetwork): boolean {
  return address.bits === first.bits && networkOf(address, prefixBits) === networkOf(first, prefixBits)
}

/** A limit counts a client by its whole IPv4 address or the /64 of its IPv6 address; other text is unchanged. */
export const limitKeyOf = (addressText: string): string => networkTextOf(addressText, { 32: 32, 128: IPV6_CLIENT_BITS })

/** Returns the network of a provider or a large organisation: whoever has many addresses usually has them there. */
export const neighbourhoodOf = (addressText: string): string => networkTextOf(addressText, { 32: 16, 128: 32 })

function networkTextOf(addressText: string, prefixBits: Readonly<Record<IpAddress['bits'], number>>): string {
  const address = parseIpAddress(addressText)
  if (address === undefined) return addressText
  const bits = prefixBits[address.bits]
  const text = formatIpAddress({ bits: address.bits, value: networkOf(address, bits) })
  return bits === address.bits ? text : `${text}/${bits}`
}

function networkOf({ bits, value }: IpAddress, prefixBits: number): bigint {
  const rest = BigInt(bits - prefixBits)
  return (value >> rest) << rest
}

function zerosFrom(groups: readonly string[], at: number): number {
  const end = groups.findIndex((group, index) => index >= at && group !== '0')
  return (end === -1 ? groups.length : end) - at
}

/** Leading zeros are refused, because some programs read them as octal numbers. */
function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined
  }
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [groupsOf(halves[0] ?? '', halves.length === 1), groupsOf(halves[1] ?? '', true)]
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** @param isEnd only the last two groups may be written as an IPv4 address */
function groupsOf(text: string, isEnd: boolean): readonly bigint[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const ipv4 = isEnd ? parseIpv4(parts.at(-1) ?? '') : undefined
  const written = ipv4 === undefined ? parts : parts.slice(0, -1)
  if (!written.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined
  const groups = written.map((part) => BigInt(`0x${part}`))
  return ipv4 === undefined ? groups : [...groups, ipv4 >> 16n, ipv4 & 0xffffn]
}
