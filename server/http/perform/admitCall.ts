import type { FastifyReply, FastifyRequest } from 'fastify'
import { BULK_HEADER, type Call } from '#contract/call/call.ts'
import { DESCRIBED_CALLS } from '#contract/call/describedCalls.ts'
import { BIND_HEADER } from '#contract/call/headers.ts'
import { API_TOKEN_PREFIX, isInScopes } from '#contract/call/tokenScopes.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { CallError } from '../call/callError.ts'
import { type Caller, requireFreshProof } from '../call/caller.ts'
import { refuseNavigation } from '../call/navigationGuard.ts'
import type { OpenChange } from '../call/openChange.ts'
import type { Client, Route } from '../call/route.ts'
import type { Admission } from '../limits/admission.ts'
import type { Asker } from '../limits/LimitRefusals.store.ts'
import { type CountUnproved, refuseSeveral } from '../limits/unprovedChanges.store.ts'

export interface IncomingCall {
  readonly route: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The moment of arrival on the monotonic clock of this process. */
  readonly arrivedAtMs: number
  readonly change: OpenChange
  /** It names the caller once they are authenticated, so that a later refusal is counted as theirs. */
  readonly asker: Asker
}

export interface AdmitDeps {
  /**
   * Finds the session of a token with its permissions at this moment; undefined when it has ended.
   * @param cookies the `Cookie` header, which must bring the cookie that the session is bound to
   */
  readonly authenticate: (token: string, client: Client, cookies: string | undefined) => Promise<Caller | undefined>
  /** Finds the browser that this `Cookie` header names, if the owner of the name has signed in there. */
  readonly recogniseBrowser?: (cookies: string | undefined, username: string) => Promise<string | undefined>
  readonly admission: Admission
  readonly countUnproved: CountUnproved
}

export interface Admitted {
  readonly caller: Caller | undefined
  readonly client: Client
}

interface Given {
  readonly query: unknown
  readonly body: unknown
}

/**
 * Decides by the request's head whether it may be read at all. Parameters and body are not looked at, and the database
 * is asked for nothing but the session, before all of this has passed.
 * @throws CallError, or RateLimited, which leaves no audit row of its own
 */
export async function admitCall(incoming: IncomingCall, deps: AdmitDeps): Promise<Admitted> {
  const { route, request, change, asker } = incoming
  const { call } = route
  if (call.changes && call.method === 'GET' && request.method === 'GET') refuseNavigation(request.headers)
  const client = clientOf(call, request)
  if (call.permission === 'public') admitStranger(call, client, deps.admission)
  const caller = call.permission === 'public' ? undefined : await authenticated(call, request, client, deps)
  if (caller) {
    asker.caller = caller
    change.madeBy(caller, request.headers[BULK_HEADER.toLowerCase()])
    admitUse(caller, deps.admission)
  }
  if (!isAllowed(call.permission, caller)) throw new CallError('forbidden')
  if (caller?.apiToken && !isInScopes(call, caller.apiToken.scopes)) throw new CallError('forbidden', NOT_IN_SCOPES)
  if (call.stepUp === 'always' && caller) requireFreshProof(caller)
  return { caller, client }
}

/**
 * Decides what only the parameters and the body show: how many devices a caller changes without a fresh proof, and
 * whose name a sign-in uses.
 * @returns the client, with its browser where the owner of the name has signed in there before
 */
export async function admitGiven(
  { route: { call }, request }: IncomingCall,
  { caller, client }: Admitted,
  given: Given,
  { countUnproved, recogniseBrowser, admission }: AdmitDeps,
): Promise<Client> {
  if (call.stepUp === 'ofSeveral' && caller) await refuseSeveral(countUnproved, caller, given)
  if (!call.knowsBrowser) return client
  const { username } = given.body as { readonly username: string }
  const browser = await recogniseBrowser?.(request.headers.cookie, username)
  // A known browser has a limit of its own, so that strangers behind the same address cannot use up its owner's.
  admission.signIn(browser ?? limitKeyOf(client.address))
  return browser === undefined ? client : { ...client, browser }
}

export const subjectOf = (caller: Caller | undefined): string =>
  caller?.apiToken ? `token ${caller.apiToken.id}` : String(caller?.userId)

const NOT_IN_SCOPES = 'This API token was not made for this call.'

/** The token may be a session's or an API token. */
const BEARER = new RegExp(`^Bearer ((?:${API_TOKEN_PREFIX})?[A-Za-z0-9_-]{43})$`, 'i')

function admitStranger(call: Call, client: Client, admission: Admission): void {
  // A sign-in is counted in `admitGiven`, once its body has named the account.
  if (call.knowsBrowser) return
  if (call.changes) admission.publicChange(limitKeyOf(client.address))
  else admission.publicRead(limitKeyOf(client.address))
}

function admitUse(caller: Caller, admission: Admission): void {
  if (caller.apiToken) admission.apiToken(subjectOf(caller))
  else admission.user(subjectOf(caller))
}

async function authenticated(
  call: Call,
  { headers }: FastifyRequest,
  client: Client,
  { authenticate, admission }: AdmitDeps,
): Promise<Caller> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  const caller = token === undefined ? undefined : await authenticate(token, client, headers.cookie)
  if (!caller) {
    admission.unauthenticated(limitKeyOf(client.address))
    throw new CallError('sign_in_required')
  }
  // A plain client is a program and nobody could confirm an identity there, so a described call accepts the session as
  // the proof.
  return caller.isPlainClient && DESCRIBED_CALLS.has(call.path) ? { ...caller, freshFactor: true } : caller
}

function clientOf(call: Call, { clientAddress, headers }: FastifyRequest): Client {
  const client = { address: clientAddress, userAgent: (headers['user-agent'] ?? '').slice(0, 300) }
  const asksForBinding = call.beginsSession && headers[BIND_HEADER.toLowerCase()] === 'cookie'
  return asksForBinding ? { ...client, binding: { cookies: headers.cookie ?? '', origin: headers.origin } } : client
}
