import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { TOKEN_SCOPE_IDS } from '#contract/call/tokenScopes.ts'
import { customerIdValue, momentValue, nameValue, userIdValue } from '#contract/call/values.ts'

export const LONGEST_TOKEN_NAME = 60
export const LONGEST_TOKEN_DAYS = 365
export const MOST_TOKENS = 20

const tokenScope = z.enum(TOKEN_SCOPE_IDS)

const apiToken = z.object({
  id: z.int32().positive(),
  name: z.string(),
  /** The first letters of the token; the rest was shown once. */
  beginning: z.string(),
  scopes: z.array(tokenScope),
  /** The token acts as this user. */
  userId: userIdValue,
  username: z.string(),
  /** True when it acts as a user without a password. */
  isMachine: z.boolean(),
  /** The creator, who may do at least as much as the token. */
  makerName: z.string(),
  /** The token sees only this customer; null when it sees what its user sees. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  withFreshFactor: z.boolean(),
  created: momentValue,
  expires: momentValue,
  /** Exact to ten minutes; null when it was never used. */
  lastUsed: momentValue.nullable(),
  /** A token is `blocked` when its user or its creator may not sign in, or belongs to another customer now. */
  state: z.enum(['usable', 'expired', 'blocked']),
  isOwn: z.boolean(),
})
export type ApiToken = z.output<typeof apiToken>

export const listApiTokens = call({
  method: 'GET',
  path: 'ApiToken/GetTokenList',
  summary: "One's own API tokens, newest first; with `all`, which is for admins, those of everybody in one's scope.",
  permission: 'signedIn',
  shows: ['API token', 'User', 'Role', 'Customer'],
  query: z.strictObject({ all: z.boolean().optional() }),
  answer: z.array(apiToken),
})

export const createApiToken = call({
  method: 'POST',
  path: 'ApiToken/CreateToken',
  summary:
    'Make an API token of oneself, or as an admin of a machine. It may do what it is made for and its user and its maker may do, whenever it is used.',
  permission: 'signedIn',
  body: z.strictObject({
    name: nameValue(LONGEST_TOKEN_NAME),
    scopes: z.array(tokenScope).min(1).max(TOKEN_SCOPE_IDS.length),
    expiresInDays: z.int32().min(1).max(LONGEST_TOKEN_DAYS),
    customerId: customerIdValue.nullable().default(null),
    /** Allows calls that ask for a fresh factor. */
    withFreshFactor: z.boolean().default(false),
    /** A user whose password was never set; without it, the caller. */
    machineId: userIdValue.optional(),
  }),
  /** The token, which is never shown again. */
  answer: z.object({ id: z.number().int(), token: z.string() }),
  errors: ['not_found', 'too_many_api_tokens', 'no_machine'],
  changes: { action: 'Create', entity: 'API token' },
  stepUp: 'always',
})

export const revokeApiToken = call({
  method: 'POST',
  path: 'ApiToken/RevokeToken',
  summary: "End an API token of one's own, or as an admin one of one's scope. Its next request is refused.",
  permission: 'signedIn',
  body: z.strictObject({ id: z.int32().positive() }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'API token' },
})
