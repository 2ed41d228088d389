import type { DriverDescription, OptionProblem } from './driverDescription.ts'
import { address, choice, type DriverOption, optional, port, secret, text, withDefault } from './driverOption.ts'

/** The kinds of SNMP agents, each with its fields and commands in `device/hardware/snmp/snmpProfiles.ts`. */
export const SNMP_PROFILES = ['switch', 'traffic', 'data-use', 'teltonika', 'ups', 'apc-rpdu'] as const

const LARGEST_INDEX = 0x7fff_ffff
const MOST_INDEXES = 4

/** Ports, outlets or modems by their numbers in the tables of the instrument. */
const indexes: DriverOption<readonly number[]> = {
  ...text('Its ports or outlets, by their indexes there'),
  isRequired: false,
  fallback: [1, 2, 3, 4],
  read: (value) => {
    const numbers =
      typeof value === 'string' ? value.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one))) : []
    const areIndexes = numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= LARGEST_INDEX)
    return numbers.length > 0 && numbers.length <= MOST_INDEXES && areIndexes
      ? { value: numbers }
      : { reason: `must be 1 to ${MOST_INDEXES} whole numbers with commas between them, such as 1,2,3,4` }
  },
}

/** Network switches, routers, power distribution and UPS cards with SNMP v1, v2c or v3. */
export const SNMP = {
  name: 'snmp',
  title: 'SNMP (switch, router, PDU, UPS card)',
  parts: ['router', 'device', 'ups', 'power-switch'],
  chosenBy: 'console',
  options: {
    host: address('Address'),
    port: port(161),
    profile: choice('It is', { values: SNMP_PROFILES }),
    indexes,
    version: withDefault(choice('Version', { values: ['1', '2c', '3'] }), '2c'),
    community: optional(secret('Community (versions 1 and 2c)')),
    user: optional(text('User (version 3)')),
    authProtocol: withDefault(
      choice('Authentication (version 3)', { values: ['sha', 'sha256', 'sha512', 'md5'] }),
      'sha',
    ),
    authPassword: optional(secret('Password of the authentication')),
    privProtocol: withDefault(choice('Encryption (version 3)', { values: ['aes', 'aes256b', 'des'] }), 'aes'),
    privPassword: optional(secret('Password of the encryption')),
  },
} as const satisfies DriverDescription

const SHORTEST_PASSWORD = 8

interface Credentials {
  readonly version: '1' | '2c' | '3'
  readonly community: string | undefined
  readonly user: string | undefined
  readonly authPassword: string | undefined
  readonly privPassword: string | undefined
}

/** RFC 3414 §11.2 requires passwords of at least eight characters. */
export function credentialsProblem(options: Credentials): OptionProblem | undefined {
  const { version, community, user, authPassword, privPassword } = options
  if (version !== '3')
    return community === undefined ? { field: 'community', reason: `is required for version ${version}` } : undefined
  if (user === undefined) return { field: 'user', reason: 'is required for version 3' }
  if (privPassword !== undefined && authPassword === undefined) {
    return { field: 'authPassword', reason: 'is required beside privPassword' }
  }
  for (const field of ['authPassword', 'privPassword'] as const) {
    const password = options[field]
    if (password !== undefined && password.length < SHORTEST_PASSWORD) {
      return { field, reason: `must have at least ${SHORTEST_PASSWORD} characters` }
    }
  }
  return undefined
}
