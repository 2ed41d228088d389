import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { DAY_MS } from '#domain/units/time.ts'

/** An authority signs others or itself, and has its key. */
export interface Authority {
  readonly name: string
  readonly key: KeyObject
  readonly cert: string
}

interface Wanted {
  /** Host names and addresses; the first is its name too. */
  readonly hosts?: readonly string[]
  readonly validFrom?: Date
  readonly validUntil?: Date
  readonly kind?: 'ec' | 'rsa'
  readonly rsaBits?: number
}

/** Makes X.509 certificates for tests in DER (ITU-T X.690), which Node.js reads but does not write. */
export function makeAuthority(name = 'Authority of a test'): Authority {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = certificate({ name, key, issuer: { name, key }, extensions: [IS_AUTHORITY], ...periodOf({}) })
  return { name, key, cert }
}

/** Makes a certificate for a server and its key, both in PEM. */
export function makeCertificate(
  authority: Authority,
  wanted: Wanted = {},
): { readonly cert: string; readonly key: string } {
  const { hosts = ['127.0.0.1', 'localhost'], kind = 'ec', rsaBits = 2048 } = wanted
  const { privateKey: key } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: rsaBits })
  const cert = certificate({
    name: hosts[0] ?? 'nobody',
    key,
    issuer: authority,
    extensions: [alternativeNames(hosts)],
    ...periodOf(wanted),
  })
  return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const periodOf = ({ validFrom, validUntil }: Wanted) => ({
  from: validFrom ?? new Date(Date.now() - DAY_MS),
  until: validUntil ?? new Date(Date.now() + 90 * DAY_MS),
})

interface Parts {
  readonly name: string
  readonly key: KeyObject
  readonly issuer: Pick<Authority, 'name' | 'key'>
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly Buffer[]
}

/** Authorities sign by ECDSA with SHA-256. */
function certificate({ name, key, issuer, from, until, extensions }: Parts): string {
  const signedBy = sequence(objectId('2a8648ce3d040302'))
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    signedBy,
    distinguishedName(issuer.name),
    sequence(time(from), time(until)),
    distinguishedName(name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', content, issuer.key)
  const whole = sequence(content, signedBy, tagged(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(body.length)]), body])
}

/** Lengths take as few bytes as possible, which libraries other than OpenSSL insist on. */
function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const octets = (bytes: Buffer) => tagged(0x04, bytes)

const distinguishedName = (name: string) =>
  sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))))

/** The format is valid until 2049. */
const time = (at: Date) => tagged(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

const TRUE = Buffer.from([0x01, 0x01, 0xff])
const IS_AUTHORITY = sequence(objectId('551d13'), TRUE, octets(sequence(TRUE)))

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  )
  return sequence(objectId('551d11'), octets(sequence(...names)))
}
