import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { TOKEN_SCOPE_IDS } from '#contract/call/tokenScopes.ts'
import { customerIdValue, momentValue, nameValue, userIdValue } from '#contract/call/values.ts'

export const LONGEST_TOKEN_NAME = 60
export const LONGEST_TOKEN_DAYS = 365
/** Of one person, or of one machine, at the same time. */
export const MOST_TOKENS = 20

const tokenScope = z.enum(TOKEN_SCOPE_IDS)

const apiToken = z.object({
  id: z.int32().positive(),
  name: z.string(),
  /** Its first letters; the rest was shown once. */
  beginning: z.string(),
  scopes: z.array(tokenScope),
  /** As whom it acts. */
  userId: userIdValue,
  username: z.string(),
  /** It acts as a user without a password. */
  isMachine: z.boolean(),
  /** Whoever made it, and may do at least as much as it. */
  makerName: z.string(),
  /** It sees only this one; null: what its user sees. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  withFreshFactor: z.boolean(),
  created: momentValue,
  expires: momentValue,
  /** To ten minutes; null: never. */
  lastUsed: momentValue.nullable(),
  /** `blocked`: its user or its maker may not sign in, or is of another customer now. */
  state: z.enum(['usable', 'expired', 'blocked']),
  /** The caller's own. */
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
  body: nothing,
  answer: z.array(apiToken),
  errors: [],
})

export const createApiToken = call({
  method: 'POST',
  path: 'ApiToken/CreateToken',
  summary:
    'Make an API token of oneself, or as an admin of a machine. It may do what it is made for and its user and its maker may do, whenever it is used.',
  permission: 'signedIn',
  query: nothing,
  body: z.strictObject({
    name: nameValue(LONGEST_TOKEN_NAME),
    scopes: z.array(tokenScope).min(1).max(TOKEN_SCOPE_IDS.length),
    /** Days from now. */
    expiresInDays: z.int32().min(1).max(LONGEST_TOKEN_DAYS),
    /** Sees only this one. */
    customerId: customerIdValue.nullable().default(null),
    /** Also for calls that ask for a fresh factor. */
    withFreshFactor: z.boolean().default(false),
    /** A user whose password was never set; absent: oneself. */
    machineId: userIdValue.optional(),
  }),
  /** The token, which nothing shows again. */
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
  query: nothing,
  body: z.strictObject({ id: z.int32().positive() }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'API token' },
})

export const API_TOKEN_CALLS = [listApiTokens, createApiToken, revokeApiToken] as const
