import { Secret, TOTP } from 'otpauth'

/** Every app supports this form of RFC 6238: SHA-1, six digits, 30 s. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const SECRET_BYTES = 20
/** A clock may be off by so many periods, and a code typed so late. */
const PERIODS_BESIDE = 1
const ISSUER = 'Wayside'
const DIGITS = /^\d{6}$/

const totpOf = (secret: Buffer, label = '') =>
  new TOTP({ ...FORM, issuer: ISSUER, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })

export const newSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes)

export function shownSecret(secret: Buffer, username: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(secret, username)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

export const isOneTimeCode = (code: string): boolean => DIGITS.test(code)

/** @returns the period of this code: the present one, the one before or the next; undefined when it belongs to none */
export function periodOf(code: string, secret: Buffer, atMs: number): number | undefined {
  const beside = totpOf(secret).validate({ token: code, timestamp: atMs, window: PERIODS_BESIDE })
  return beside === null ? undefined : Math.floor(atMs / (FORM.period * 1000)) + beside
}
