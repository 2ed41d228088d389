import { globSync, readFileSync, realpathSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import type { SEEN_KINDS } from '#contract/mqtt/discovery.ts'

/** A serial port, a bus or a USB device that this computer has. It says nothing about what is connected to it. */
export interface SeenPort {
  readonly kind: (typeof SEEN_KINDS)[number]
  readonly name: string
}

/** The folders are those of Linux; only tests name others. */
export interface ComputerFolders {
  readonly dev: string
  readonly sys: string
}

/** Lists serial ports, each once: an adapter has several names, of which the one by its serial number stays the same. */
export function serialPorts({ dev }: ComputerFolders): readonly string[] {
  const named = globSync(join(dev, 'serial/by-id/*')).sort()
  const plain = globSync(join(dev, 'tty{USB,ACM,AMA}[0-9]*')).sort()
  const seen = new Set<string>()
  return [...named, ...plain].filter((path) => {
    const real = realpathSync(path)
    return !seen.has(real) && seen.add(real)
  })
}

export function seenPorts(folders: ComputerFolders): readonly SeenPort[] {
  const buses = globSync(join(folders.dev, 'i2c-[0-9]*')).sort()
  return [
    ...serialPorts(folders).map((name) => ({ kind: 'serial' as const, name })),
    ...buses.map((name) => ({ kind: 'i2c' as const, name })),
    ...usbNames(folders).map((name) => ({ kind: 'usb' as const, name })),
  ]
}

const YOCTOPUCE_VENDOR = '24e0'

function usbNames({ sys }: ComputerFolders): readonly string[] {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      return ''
    }
  }
  const names = globSync(join(sys, 'bus/usb/devices/*')).flatMap((device) => {
    const said = (name: string) => read(join(device, name))
    if (said('product') === '') return []
    const name = `${said('manufacturer')} ${said('product')}`.trim()
    // Its modules are read by a program of the maker, which answers like a hub.
    return [said('idVendor') === YOCTOPUCE_VENDOR ? `${name} ${said('serial')} (needs VirtualHub)` : name]
  })
  // The computer's own root hubs are no parts.
  return names.filter((name) => !/Host Controller$/.test(name)).sort()
}

const OCTET = 256
const LONGEST_PREFIX = 30
const SHORTEST_PREFIX = 24

/** Lists the IPv4 networks of this computer that are small enough to ask every address. */
export function ownNetworks(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>) {
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family, internal, cidr }) => family === 'IPv4' && !internal && cidr !== null)
  return [...new Set(own.map(({ cidr }) => networkOf(cidr ?? '')))].filter((network) => network !== undefined)
}

/** Returns the network of such an address, if it is small enough. */
export function networkOf(cidr: string): string | undefined {
  const [address = '', prefix = ''] = cidr.split('/')
  const bits = Number(prefix)
  if (bits < SHORTEST_PREFIX || bits > LONGEST_PREFIX) return undefined
  const [a, b, c, d = 0] = address.split('.').map(Number)
  return `${a}.${b}.${c}.${d - (d % 2 ** (32 - bits))}/${bits}`
}

/** Lists the addresses of such a network, without its own and that of its broadcast; undefined if it is too large. */
export function hostsOf(network: string): readonly string[] | undefined {
  const own = networkOf(network)
  if (own === undefined) return undefined
  const [first = '', bits = ''] = own.split('/')
  const [a, b, c, d = 0] = first.split('.').map(Number)
  const count = 2 ** (32 - Number(bits)) - 2
  return Array.from({ length: count }, (_, index) => d + index + 1)
    .filter((last) => last < OCTET)
    .map((last) => `${a}.${b}.${c}.${last}`)
}
