import { isLoopback } from '#domain/network/loopback.ts'

const PLAIN = ['http', 'mqtt'] as const
type Plain = (typeof PLAIN)[number]

export type PlainHosts = Readonly<Record<Plain, string>>

interface Request {
  readonly bindAddress: string
  readonly plaintext: readonly Plain[]
}

/** Ports of plain text listen within the machine, unless the settings ask by name for more. */
export function plainHosts({ bindAddress, plaintext }: Request): PlainHosts {
  const hostOf = (name: Plain) => (isLoopback(bindAddress) || plaintext.includes(name) ? bindAddress : '127.0.0.1')
  return { http: hostOf('http'), mqtt: hostOf('mqtt') }
}
