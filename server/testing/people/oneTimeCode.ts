import { Secret, TOTP } from 'otpauth'

/** Returns what an authenticator app shows at this moment. */
export const codeAt = (secret: Buffer, atMs: number): string =>
  new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) }).generate({ timestamp: atMs })
