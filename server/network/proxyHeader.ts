import { type IpAddress, parseIpAddress } from '#domain/network/ipAddress.ts'

const LONGEST_LINE_BYTES = 107
/** The longest header of version 2; what balancers add about TLS and their network takes a few hundred bytes. */
const LONGEST_BINARY_BYTES = 4096

const LINE_BEGIN = Buffer.from('PROXY ')
const LINE_END = Buffer.from('\r\n')
const BINARY_BEGIN = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a])
const BINARY_HEAD_BYTES = 16

const VERSION_2 = 0x20
const COMMAND_LOCAL = 0
const COMMAND_PROXY = 1
const UNSPECIFIED = 0x00
const TCP_OVER_IPV4 = 0x11
const TCP_OVER_IPV6 = 0x21
const UNIX_STREAM = 0x31
const ADDRESS_BYTES: Readonly<Record<number, number>> = {
  [UNSPECIFIED]: 0,
  [TCP_OVER_IPV4]: 12,
  [TCP_OVER_IPV6]: 36,
  [UNIX_STREAM]: 216,
}

/** What the beginning of a connection says by the PROXY protocol, version 1 or 2. */
export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  /** @property client undefined when the balancer speaks for itself, or for somebody without an address */
  | { readonly kind: 'read'; readonly client: IpAddress | undefined; readonly lengthBytes: number }

const INCOMPLETE: ProxyHeader = { kind: 'incomplete' }
const MALFORMED: ProxyHeader = { kind: 'malformed' }

/** @param bytes everything that has arrived so far; more may follow the header */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, BINARY_BEGIN)) return readBinary(bytes)
  if (beginsLike(bytes, LINE_BEGIN)) return readLine(bytes)
  return MALFORMED
}

function beginsLike(bytes: Buffer, begin: Buffer): boolean {
  const length = Math.min(bytes.length, begin.length)
  return bytes.subarray(0, length).equals(begin.subarray(0, length))
}

const PORT = '(?:0|[1-9]\\d{0,4})'
const LINE = new RegExp(`^PROXY (?:UNKNOWN(?: .*)?|TCP([46]) (\\S+) (\\S+) (${PORT}) (${PORT}))$`)
const LARGEST_PORT = 65_535

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, LONGEST_LINE_BYTES).indexOf(LINE_END)
  if (end === -1) return bytes.length < LONGEST_LINE_BYTES ? INCOMPLETE : MALFORMED
  const match = LINE.exec(bytes.toString('latin1', 0, end))
  if (!match) return MALFORMED
  const lengthBytes = end + LINE_END.length
  const [, family, source = '', destination = '', ...ports] = match
  if (family === undefined) return { kind: 'read', client: undefined, lengthBytes }
  const client = addressOf(family, source)
  const isWhole = client && addressOf(family, destination) && ports.every((port) => Number(port) <= LARGEST_PORT)
  return isWhole ? { kind: 'read', client, lengthBytes } : MALFORMED
}

function addressOf(family: string, text: string): IpAddress | undefined {
  const isIpv6Text = text.includes(':')
  return isIpv6Text === (family === '6') && !text.includes('%') ? parseIpAddress(text) : undefined
}

function readBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < BINARY_HEAD_BYTES) return INCOMPLETE
  const command = bytes.readUInt8(12) - VERSION_2
  const family = bytes.readUInt8(13)
  const restBytes = bytes.readUInt16BE(14)
  const lengthBytes = BINARY_HEAD_BYTES + restBytes
  if (command !== COMMAND_LOCAL && command !== COMMAND_PROXY) return MALFORMED
  // What a balancer says of itself need not be understood (specification, 2.2).
  const needed = command === COMMAND_LOCAL ? 0 : ADDRESS_BYTES[family]
  if (needed === undefined || restBytes < needed || lengthBytes > LONGEST_BINARY_BYTES) return MALFORMED
  if (bytes.length < lengthBytes) return INCOMPLETE
  const isSpokenFor = command === COMMAND_PROXY && (family === TCP_OVER_IPV4 || family === TCP_OVER_IPV6)
  return { kind: 'read', client: isSpokenFor ? sourceOf(bytes, family) : undefined, lengthBytes }
}

/** Ports, the destination and the added TLVs do not identify the client. */
function sourceOf(bytes: Buffer, family: number): IpAddress | undefined {
  const source = bytes.subarray(BINARY_HEAD_BYTES, BINARY_HEAD_BYTES + (family === TCP_OVER_IPV4 ? 4 : 16))
  if (family === TCP_OVER_IPV4) return parseIpAddress(source.join('.'))
  return parseIpAddress(source.toString('hex').replace(/(.{4})(?=.)/g, '$1:'))
}
