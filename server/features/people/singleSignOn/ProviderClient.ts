import {
  AuthorizationResponseError,
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
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Claims } from '#domain/singleSignOn/roleByClaim.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type CallOutside, OutboundFailure } from '#server/outbound/outbound.ts'
import type { Attempt } from './attemptSeal.ts'
import { type FailureCode, ProviderFailure } from './ProviderFailure.ts'

/** Keys and addresses of a provider change rarely, and the old ones stay valid beside the new for days. */
const FRESH_MS = 10 * MINUTE_MS
const MOST_KEPT = 200
const SCOPE = 'openid email profile'
/** These parameters belong to other flows; only a code was asked for. */
const OF_OTHER_FLOWS = ['id_token', 'token', 'response']
const NOT_FOR_THIS = 'what came back is not for this sign-in. Please begin again'

/** What a provider says of somebody, with the name by which it always knows them. */
export type SignedClaims = Claims & { readonly sub: string }

export interface RequestedProvider {
  readonly id: number
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Signs in by OpenID Connect's code flow with PKCE, through the outbound HTTP client only. */
export class ProviderClient {
  readonly #callOutside: CallOutside
  readonly #known = new Map<string, { readonly atMs: number; readonly found: Promise<Configuration> }>()

  constructor(callOutside: CallOutside) {
    this.#callOutside = callOutside
  }

  /**
   * Reads the provider's discovery document now.
   * @throws ProviderFailure
   */
  look(provider: RequestedProvider): Promise<void> {
    return told(provider, async () => void (await this.#discovered(provider)))
  }

  /** @throws ProviderFailure */
  begin(
    provider: RequestedProvider,
    { redirect, loginHint }: { readonly redirect: string; readonly loginHint: string },
  ): Promise<Omit<Attempt, 'providerId'> & { readonly address: string }> {
    return told(provider, async () => {
      const config = await this.#configuration(provider)
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const address = buildAuthorizationUrl(config, {
        redirect_uri: redirect,
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
    })
  }

  /**
   * Reads the provider's claims about somebody who came back, signed for this server and this attempt.
   * @throws ProviderFailure
   */
  claims(
    provider: RequestedProvider,
    { state, nonce, verifier }: Attempt,
    { redirect, parameters }: { readonly redirect: string; readonly parameters: string },
  ): Promise<SignedClaims> {
    return told(provider, async () => {
      refuseNoAnswer(new URLSearchParams(parameters))
      const config = await this.#configuration(provider)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await authorizationCodeGrant(config, new URL(`${redirect}?${parameters}`), checks)
      const claims = tokens.claims()
      if (!claims) throw new ProviderFailure('it said nothing of who came')
      return claims
    })
  }

  #configuration(provider: RequestedProvider): Promise<Configuration> {
    const known = this.#known
    const key = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret])
    const kept = known.get(key)
    if (kept && Date.now() - kept.atMs < FRESH_MS) return kept.found
    const found = this.#discovered(provider)
    known.set(key, { atMs: Date.now(), found })
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
    return found
  }

  async #discovered({ issuer, clientId, clientSecret }: RequestedProvider): Promise<Configuration> {
    if (clientSecret === '') throw new ProviderFailure('its client secret cannot be read and has to be entered again')
    const url = new URL(issuer)
    const options: DiscoveryRequestOptions = {
      [customFetch]: fetchThrough(this.#callOutside),
      // Plain HTTP is only for hosts that the outbound settings permit by name.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
    }
    return discovery(url, clientId, { client_secret: clientSecret }, secretAsSupported(clientSecret), options)
  }
}

/** An address in a discovery document is as untrusted as one that somebody entered, so it gets the same checks. */
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

/** A provider that names no methods accepts the header (OpenID Connect Discovery 1.0 §3). */
const secretAsSupported = (secret: string): ClientAuth => {
  const [byHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (supported.includes('client_secret_basic') ? byHeader : inBody)(server, ...request)
  }
}

async function told<Result>({ name }: RequestedProvider, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (fault) {
    throw new ProviderFailure(`${name}: ${reasonOf(fault)}.`, codeOf(fault))
  }
}

/** The library blames the provider for these faults, although they come from the browser's parameters. */
function refuseNoAnswer(given: URLSearchParams): void {
  const isSaid = Boolean(given.get('code') || given.get('error')) && new Set(given.keys()).size === given.size
  if (!isSaid || OF_OTHER_FLOWS.some((name) => given.has(name)))
    throw new ProviderFailure(NOT_FOR_THIS, 'challenge_not_valid')
}

/** The browser brings the code; a provider that does not know it answers `invalid_grant`. */
function codeOf(fault: unknown): FailureCode {
  if (fault instanceof ProviderFailure) return fault.code
  if (fault instanceof AuthorizationResponseError) return 'provider_refused'
  const isUnknownCode = fault instanceof ResponseBodyError && fault.error === 'invalid_grant'
  return isUnknownCode || isOfBrowser(fault) ? 'challenge_not_valid' : 'provider_failed'
}

/** The library found the fault in the address's parameters, before it asked the provider. */
const isOfBrowser = (fault: unknown): boolean =>
  fault instanceof Error && (isOfBrowser(fault.cause) || hasParameters(fault.cause))
const hasParameters = (cause: unknown) => typeof cause === 'object' && cause !== null && 'parameters' in cause

/** Messages of libraries may quote what was sent, but their codes do not. */
function reasonOf(fault: unknown): string {
  if (isOfBrowser(fault)) return NOT_FOR_THIS
  for (let cause = fault; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure || cause instanceof ProviderFailure) return cause.message.replace(/\.$/, '')
    const { error } = cause as { readonly error?: unknown }
    if (typeof error === 'string' && /^\w{1,60}$/.test(error)) return `it answered ${error}`
  }
  const { code } = (fault ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? `what it says does not hold (${code})` : 'what it says cannot be read'
}
