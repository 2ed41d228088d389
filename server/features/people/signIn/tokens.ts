import { createHash, randomBytes } from 'node:crypto'
import { API_TOKEN_PREFIX } from '#contract/call/tokenScopes.ts'

const TOKEN_BYTES = 32

/** 256 random bits; 43 characters. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Of a program: 47 characters, by whose first anybody sees what it is. */
export const newApiToken = (): string => `${API_TOKEN_PREFIX}${newToken()}`

const SESSION_TOKEN_LENGTH = 43
export const isApiToken = (token: string): boolean =>
  token.length > SESSION_TOKEN_LENGTH && token.startsWith(API_TOKEN_PREFIX)

/** What is kept of a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
