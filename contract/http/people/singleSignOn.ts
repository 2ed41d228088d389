import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { customerIdValue, nameValue, roleIdValue, SECRETS, textValue, trimmedValue } from '#contract/call/values.ts'
import { signedInUser } from './signedInUser.ts'

export const MOST_DOMAINS = 50
export const MOST_ROLE_RULES = 50

const providerIdValue = z.int32().positive()
const redirectIdValue = z.string().regex(/^[\da-z-]{1,40}$/)

export const findSignInProvider = call({
  method: 'POST',
  path: 'App/GetSignInProvider',
  summary: 'By which identity provider the owner of this name signs in, by the domain of their mail address.',
  permission: 'public',
  shows: [],
  body: z.strictObject({ username: textValue(254).min(1) }),
  /** Null when the user signs in with a password. The answer does not reveal whether the user exists. */
  answer: z.object({ provider: z.object({ id: providerIdValue, name: z.string() }).nullable() }),
  errors: ['too_many_requests'],
})

export const beginProviderSignIn = call({
  method: 'POST',
  path: 'App/GetProviderAddress',
  summary: 'Where a browser goes to sign in by an identity provider.',
  permission: 'public',
  shows: [],
  body: z.strictObject({ providerId: providerIdValue, username: textValue(254).default('') }),
  answer: z.object({
    address: z.string(),
    /** The browser that begins keeps this for ten minutes, so that no other browser can finish its sign-in. */
    attempt: z.string(),
  }),
  errors: ['not_found', 'provider_failed', 'too_many_requests'],
})

export const completeProviderSignIn = call({
  method: 'POST',
  path: 'App/CompleteProviderSignIn',
  summary: 'Sign in by what an identity provider said of somebody; answers the user and an access token.',
  permission: 'public',
  body: z.strictObject({
    attempt: z.string().min(1).max(1000).register(SECRETS),
    /** The last part of the address to which the browser returned; it identifies the provider. */
    redirectId: redirectIdValue,
    /** The parameters that the provider added to that address, unchanged. */
    parameters: z.string().min(1).max(3000).register(SECRETS),
  }),
  answer: signedInUser.extend({ accessToken: z.string() }),
  /** `challenge_not_valid` means that the attempt expired, was used, is another provider's, or does not match. */
  errors: [
    'challenge_not_valid',
    'provider_failed',
    'provider_refused',
    'bound_sign_in_only',
    'last_admin',
    'too_many_requests',
  ],
  changes: { action: 'Sign in', entity: 'Session' },
  beginsSession: true,
  largestBodyBytes: 16 * 1024,
})

const roleRule = z.strictObject({ value: textValue(200).min(1), roleId: roleIdValue })

const written = {
  name: nameValue(100),
  issuer: trimmedValue(500).min(1),
  clientId: trimmedValue(200).min(1),
  /** The provider signs in this customer's users; null means staff. */
  customerId: customerIdValue.nullable().default(null),
  /** The domains of e-mail addresses. */
  domains: z.array(trimmedValue(253).toLowerCase().min(1)).max(MOST_DOMAINS),
  roleClaim: trimmedValue(200).min(1),
  roleRules: z.array(roleRule).max(MOST_ROLE_RULES),
  trustsMail: z.boolean().default(false),
  /** If true, users with an address of its domains can sign in only through it, except admins of the staff. */
  isRequired: z.boolean().default(false),
  isOn: z.boolean().default(true),
}

export const signInProvider = z.object({
  id: providerIdValue,
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  domains: z.array(z.string()),
  roleClaim: z.string(),
  roleRules: z.array(z.object({ value: z.string(), roleId: roleIdValue })),
  /** The last part of the address to which it sends people back. */
  redirectId: z.string(),
  trustsMail: z.boolean(),
  isRequired: z.boolean(),
  isOn: z.boolean(),
  userCount: z.number().int(),
})
export type SignInProvider = z.output<typeof signInProvider>

export const listSignInProviders = call({
  method: 'GET',
  path: 'SignInProvider/GetProviderList',
  summary: 'Identity providers by name, without their secrets. Staff admins only.',
  permission: 'staffAdmin',
  shows: ['Sign-in provider', 'User', 'Customer'],
  /** `callback`, a slash and the `redirectId` of a provider make the address that the provider has to know. */
  answer: z.object({ callback: z.string(), providers: z.array(signInProvider) }),
})

export const setSignInProvider = call({
  method: 'POST',
  path: 'SignInProvider/SetProvider',
  summary:
    'Set up an identity provider (id absent, 0 or negative) or change one; answers the id. An absent secret stays, but not where it would go to another issuer. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({
    id: z.int32().default(0),
    ...written,
    clientSecret: textValue(500).min(1).register(SECRETS).optional(),
    /**
     * A new provider's address is registered at the provider before it is saved here, so the console may choose it;
     * else the server does. It cannot change later.
     */
    redirectId: redirectIdValue.optional(),
  }),
  answer: z.number().int(),
  errors: ['not_found', 'provider_not_usable', 'provider_domain_taken'],
  changes: { action: 'Update', entity: 'Sign-in provider' },
  stepUp: 'always',
  largestBodyBytes: 256 * 1024,
})

export const deleteSignInProvider = call({
  method: 'POST',
  path: 'SignInProvider/DeleteProvider',
  summary: 'Remove an identity provider; sessions that began by it end. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ id: providerIdValue }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Sign-in provider' },
  stepUp: 'always',
})
