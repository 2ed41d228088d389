import { createHash, randomBytes } from 'node:crypto'
import { API_TOKEN_PREFIX } from '#contract/call/tokenScopes.ts'

const TOKEN_BYTES = 32

/** A token has 256 random bits in 43 characters. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** An API token has 47 characters; its prefix tells people and secret scanners what it is. */
export const newApiToken = (): string => `${API_TOKEN_PREFIX}${newToken()}`

const SESSION_TOKEN_LENGTH = 43
export const isApiToken = (token: string): boolean =>
  token.length > SESSION_TOKEN_LENGTH && token.startsWith(API_TOKEN_PREFIX)

/** Only this hash of a token is stored. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
