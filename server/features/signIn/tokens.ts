import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 random bits; 43 characters. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is kept of a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
