import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  type DiscoveryRequestOptions,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Claims } from '#domain/singleSignOn/roleByClaim.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type CallOutside, OutboundFailure } from '#server/outbound/outbound.ts'
import type { Attempt } from './attemptSeal.ts'

/** Keys and addresses of a provider change rarely, and then for days side by side. */
const FRESH_MS = 10 * MINUTE_MS
const MOST_KEPT = 200
const SCOPE = 'openid email profile'

export interface AskedProvider {
  readonly id: number
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Why a provider could not be asked, or what it said counts for nothing; in words that hold no secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}

export interface ProviderClient {
  /** Reads what the provider says of itself, now. @throws ProviderFailure */
  readonly look: (provider: AskedProvider) => Promise<void>
  /** @throws ProviderFailure */
  readonly begin: (
    provider: AskedProvider,
    about: { readonly callback: string; readonly loginHint: string },
  ) => Promise<Omit<Attempt, 'providerId'> & { readonly address: string }>
  /**
   * What the provider says of who came back: signed by it, for us, for this attempt.
   *
   * @throws ProviderFailure
   */
  readonly claims: (
    provider: AskedProvider,
    attempt: Attempt,
    about: { readonly callback: string; readonly parameters: string },
  ) => Promise<Claims & { readonly sub: string }>
}

/** The code flow of OpenID Connect with PKCE, by `openid-client` through the one outbound door. */
export function createProviderClient(callOutside: CallOutside, now: () => number = Date.now): ProviderClient {
  const known = new Map<string, { readonly atMs: number; readonly found: Promise<Configuration> }>()

  async function discovered({ issuer, clientId, clientSecret }: AskedProvider): Promise<Configuration> {
    if (clientSecret === '') throw new ProviderFailure('its client secret cannot be read and has to be entered again')
    const url = new URL(issuer)
    const options: DiscoveryRequestOptions = {
      [customFetch]: fetchThrough(callOutside),
      // Beyond TLS the door lets through what a setting allows by name.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
    }
    return discovery(url, clientId, { client_secret: clientSecret }, secretAsSupported(clientSecret), options)
  }

  function configuration(provider: AskedProvider): Promise<Configuration> {
    const key = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret])
    const kept = known.get(key)
    if (kept && now() - kept.atMs < FRESH_MS) return kept.found
    const found = discovered(provider)
    known.set(key, { atMs: now(), found })
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
    return found
  }

  return {
    look: (provider) => told(provider, async () => void (await discovered(provider))),

    begin: (provider, { callback, loginHint }) =>
      told(provider, async () => {
        const config = await configuration(provider)
        const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
        const address = buildAuthorizationUrl(config, {
          redirect_uri: callback,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(loginHint !== '' && { login_hint: loginHint }),
        })
        if (!['https:', new URL(provider.issuer).protocol].includes(address.protocol)) {
          throw new ProviderFailure('its page for signing in is not reached by https')
        }
        return { state, nonce, verifier, address: address.href }
      }),

    claims: (provider, { state, nonce, verifier }, { callback, parameters }) =>
      told(provider, async () => {
        const config = await configuration(provider)
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await authorizationCodeGrant(config, new URL(`${callback}?${parameters}`), checks)
        const claims = tokens.claims()
        if (!claims) throw new ProviderFailure('it said nothing of who came')
        return claims
      }),
  }
}

/** By the door, and by nothing else: an address of a discovery document is as foreign as one that somebody entered. */
const fetchThrough =
  (callOutside: CallOutside): NonNullable<DiscoveryRequestOptions[typeof customFetch]> =>
  async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new ProviderFailure(`it is asked by ${method}`)
    const answer = await callOutside(
      { method, url, headers, ...(body != null && { body: String(body) }) },
      signal ?? undefined,
    )
    const told = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    return new Response(answer.text, { status: answer.status, headers: told })
  }

/** A provider that says nothing of it takes it by the header (OpenID Connect Discovery 1.0 §3). */
const secretAsSupported = (secret: string): ClientAuth => {
  const [byHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (supported.includes('client_secret_basic') ? byHeader : inBody)(server, ...request)
  }
}

async function told<Result>({ name }: AskedProvider, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (fault) {
    throw new ProviderFailure(`${name}: ${reasonOf(fault)}.`)
  }
}

/** What libraries say may hold what was sent: their codes do not. */
function reasonOf(fault: unknown): string {
  for (let cause = fault; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure || cause instanceof ProviderFailure) return cause.message.replace(/\.$/, '')
    const { error } = cause as { readonly error?: unknown }
    if (typeof error === 'string' && /^\w{1,60}$/.test(error)) return `it answered ${error}`
  }
  const { code } = (fault ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? `what it says does not hold (${code})` : 'what it says cannot be read'
}
