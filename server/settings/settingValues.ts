import { readFileSync } from 'node:fs'
import { readAllowance } from '#domain/network/outboundTarget.ts'
import { faultOfProxyNetwork } from '#domain/network/proxyNetwork.ts'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import { RELEASE_KEY_PATTERN } from '#domain/releases/verifyRelease.ts'
import { withoutEnd } from '#domain/texts/withoutEnd.ts'
import { lookAtMapFile, type MapFile } from './mapFile.ts'

// These functions turn the texts of settings into values; each refuses what cannot be used.

/** Its message is one sentence that says which setting cannot be used, and why. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Throws inside `read`; `readConfig` puts the name of the setting in front. */
function refuse(why: string): never {
  throw new ConfigError(why)
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the server may not read it',
  EISDIR: 'it is a folder',
}

/** Reads a file that replaces a variable, without the end of its line; refusals never repeat the text. */
export function textOfFile(path: string): string {
  const text = contentsOf(path).replace(/\r?\n$/, '')
  if (text.trim() === '') return refuse(`names ${path}, which is empty`)
  if (/[\r\n]/.test(text)) return refuse(`names ${path}, which holds more than one line`)
  return text
}

function contentsOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuseFile(path, error)
  }
}

function refuseFile(path: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return refuse(`names ${path.replaceAll('\0', '')}, which cannot be read: ${UNREADABLE[code] ?? code}`)
}

export const wholeNumber = (lowest: number, highest: number, absent: number) => (text: string | undefined) => {
  if (text === undefined) return absent
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < lowest || value > highest) {
    return refuse(`must be a whole number from ${lowest} to ${highest}, but is "${text}"`)
  }
  return value
}

export const url =
  (...protocols: string[]) =>
  (text: string | undefined) => {
    if (text === undefined) return undefined
    // The value may hold a password, so no refusal repeats it.
    const protocol = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined
    if (protocol === undefined || !protocols.includes(protocol)) {
      return refuse(`must be an address that begins with ${protocols.map((name) => `${name}:`).join(' or ')}`)
    }
    return text
  }

export const webAddress = (text: string | undefined) => {
  const address = url('http', 'https')(text)
  return address === undefined ? undefined : withoutEnd(address, '/')
}

/** The console and its calls need the root of their host. */
export const siteAddress = (text: string | undefined) => {
  const address = webAddress(text)
  if (address === undefined) return undefined
  const { username, password, pathname, search, hash } = new URL(address)
  // It stands in every mail and configuration, and a refusal does not repeat it.
  if (username !== '' || password !== '') return refuse('must hold neither a user name nor a password')
  if (pathname === '/' && search === '' && hash === '') return address
  return refuse('must be a host without a path, as in https://wayside.example.org: the console does not work below one')
}

export const tileAddress = (text: string | undefined) => {
  const address = url('http', 'https')(text)
  if (address !== undefined && !['{z}', '{x}', '{y}'].every((part) => address.includes(part))) {
    return refuse('must contain {z}, {x} and {y}')
  }
  return address
}

export const mapFile = (path: string | undefined): MapFile | undefined => {
  if (path === undefined) return undefined
  try {
    const found = lookAtMapFile(path)
    return typeof found === 'string' ? refuse(`names ${path}, which ${found}`) : found
  } catch (error) {
    return error instanceof ConfigError ? refuse(error.message) : refuseFile(path, error)
  }
}

export const bindAddress = (text: string | undefined) => {
  if (text === undefined) return '127.0.0.1'
  if (!/^[\w.:%-]+$/.test(text)) return refuse(`must be one host name or IP address, but is "${text}"`)
  return text
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const proxyNetworks = (text: string | undefined): readonly string[] => {
  const networks = listOf(text)
  const fault = networks.map(faultOfProxyNetwork).find((found) => found !== undefined)
  return fault === undefined ? Object.freeze(networks) : refuse(fault)
}

export const outboundAllowances = (text: string | undefined): readonly string[] => {
  const allowed = listOf(text)
  const wrong = allowed.find((one) => readAllowance(one) === undefined)
  if (wrong !== undefined)
    return refuse(`must be hosts, host:port or networks with commas between them, but holds "${wrong}"`)
  return Object.freeze(allowed)
}

const PLAIN_LISTENERS = ['http', 'mqtt'] as const
const LISTENERS = [...PLAIN_LISTENERS, 'https', 'mqtts'] as const

const someOf =
  <Name extends string>(all: readonly Name[]) =>
  (text: string | undefined): readonly Name[] => {
    const names = listOf(text?.toLowerCase())
    const chosen = all.filter((name) => names.includes(name))
    if (chosen.length !== names.length) {
      return refuse(`must be one or more of ${all.join(', ')} with commas between them, but is "${text}"`)
    }
    return Object.freeze(chosen)
  }

export const listeners = someOf(LISTENERS)
export const plainListeners = someOf(PLAIN_LISTENERS)

export const ROLES = ['api', 'gateway', 'jobs'] as const
export type Role = (typeof ROLES)[number]

const someRoles = someOf(ROLES)

/** Reads the roles of a process; without a text it has all. */
export const roles = (text: string | undefined): readonly Role[] => {
  if (text === undefined) return Object.freeze([...ROLES])
  const chosen = someRoles(text)
  return chosen.length > 0 ? chosen : refuse(`must be one or more of ${ROLES.join(', ')}, but is "${text}"`)
}

export const mailAddresses = (text: string | undefined): readonly string[] => {
  const addresses = listOf(text?.toLowerCase())
  const wrong = addresses.find((address) => !/^[^\s@;]+@[^\s@;]+$/.test(address))
  if (wrong !== undefined) return refuse(`must be e-mail addresses with commas between them, but holds "${wrong}"`)
  return Object.freeze(addresses)
}

export const releaseKeys = (text: string | undefined): readonly string[] => {
  const keys = listOf(text)
  const wrong = keys.find((key) => !RELEASE_KEY_PATTERN.test(key))
  if (wrong !== undefined) return refuse(`must be public keys with commas between them, but holds "${wrong}"`)
  return Object.freeze(keys)
}

export const mailAddress = (text: string | undefined) => {
  if (text !== undefined && !/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text)) {
    return refuse(`must be one e-mail address, but is "${text}"`)
  }
  return text
}

/** Accepts what `Contact` of RFC 9116 allows. */
export const securityContact = (text: string | undefined) => {
  if (text === undefined || /^https:\/\/[^\s]+$/.test(text)) return text
  const address = text.replace(/^mailto:/, '')
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address)) {
    return refuse(`must be one e-mail address, or one address that begins with https:, but is "${text}"`)
  }
  return `mailto:${address}`
}

export const password = (text: string | undefined) => {
  const weakness = text === undefined ? undefined : weaknessOf(text)
  // The refusal must not repeat the password.
  if (weakness !== undefined) return refuse(`cannot be used: ${weakness.slice(0, -1)}`)
  return text
}

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

export const logLevel = (text: string | undefined) => {
  if (text === undefined) return undefined
  const level = LOG_LEVELS.find((each) => each === text.toLowerCase())
  return level ?? refuse(`must be ${LOG_LEVELS.join(', ')}, but is "${text}"`)
}

export const token = (shortest: number) => (text: string | undefined) => {
  if (text === undefined) return undefined
  if (!/^[\x21-\x7e]+$/.test(text) || text.length < shortest) {
    return refuse(`must be at least ${shortest} letters, digits and signs without spaces`)
  }
  return text
}

/** The refusal must not repeat the key. */
export const hexKey = (text: string | undefined) => {
  if (text !== undefined && !/^[0-9a-f]{64}$/i.test(text)) return refuse('must be 64 hexadecimal digits')
  return text
}

export const choice =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (text: string | undefined): Choice | undefined => {
    if (text === undefined) return undefined
    return choices.find((one) => one === text) ?? refuse(`must be ${choices.join(' or ')}, but is "${text}"`)
  }

export const file = (text: string | undefined) => {
  if (text?.includes('\0')) return refuse('must be the path of a file')
  return text
}

export const folder = (text: string | undefined) => {
  if (text?.includes('\0')) return refuse('must be the path of a folder')
  return text ?? './data'
}
