import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { BULK_HEADER, type Call } from '#contract/call/call.ts'
import { DESCRIBED_CALLS } from '#contract/call/describedCalls.ts'
import { BIND_HEADER } from '#contract/call/headers.ts'
import { API_TOKEN_PREFIX, isInScopes } from '#contract/call/tokenScopes.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { traced } from '#server/metrics/tracing.ts'
import { bestCoding, mayBeCompressed } from './answers/answerEncoding.ts'
import { openEventStream } from './answers/eventStream.ts'
import { createAnswerSender, type Made, sendRefusal } from './answers/sendMade.ts'
import type { Audit } from './call/audit.store.ts'
import { CallError } from './call/callError.ts'
import { type Caller, requireFreshProof } from './call/caller.ts'
import { idempotencyKeyOf } from './call/idempotencyKey.ts'
import { refuseNavigation } from './call/navigationGuard.ts'
import { type OpenChange, openChange } from './call/openChange.ts'
import { loggable, refusalOf } from './call/refusal.ts'
import type { ChangeRecord, Client, JsonText, Route } from './call/route.ts'
import type { HttpMeasures } from './httpMeasures.ts'
import type { Admission } from './limits/admission.ts'
import { createChangeQueue } from './limits/changeQueue.ts'
import { createFairShare, untilPlace } from './limits/fairShare.ts'
import { createRowStreamPlaces, createStreamPlaces, endOf, type StreamLimits } from './limits/lastingAnswers.ts'
import { type Asker, askerRefusal, type LimitRefusals } from './limits/limitRefusals.store.ts'
import { createConcurrencyLimit, createPlaces, RateLimited } from './limits/rateLimits.ts'
import type { SharedCounts } from './limits/sharedCounts.store.ts'
import { type CountUnproved, refuseSeveral } from './limits/unprovedChanges.store.ts'
import { readGiven } from './readGiven.ts'

export interface CallDeps {
  /**
   * Whose session this token is, with the rights of this moment; undefined when it is nobody's any more.
   *
   * @param cookies the header, which has to bring the other half of a session that is bound to a cookie
   */
  readonly authenticate: (token: string, client: Client, cookies: string | undefined) => Promise<Caller | undefined>
  /**
   * Who used this token last time, with the rights of then; absent: nobody knows. A read is begun for them while
   * `authenticate` asks who it is now, and what it made is thrown away unless that says exactly the same.
   */
  readonly likelyCaller?: (token: string, client: Client) => Caller | undefined
  /** The browser that this header `Cookie` names, if the owner of this name has signed in there; absent: none is known. */
  readonly recogniseBrowser?: (cookies: string | undefined, username: string) => Promise<string | undefined>
  readonly audit: Audit
  readonly log: Logger
  readonly admission: Admission
  readonly countUnproved: CountUnproved
  /** With the other processes; absent: this one counts by itself. */
  readonly sharedCounts?: SharedCounts
  /** What a limit refuses leaves one row a client and hour; absent: none. */
  readonly limitRefusals?: Pick<LimitRefusals, 'note'>
  /** Refuse to send an answer that is not exactly what the contract says. Tests do; production sends it as it is. */
  readonly checksAnswers: boolean
  readonly measures: HttpMeasures
  readonly streamLimits?: StreamLimits
}

/** A browser opens six connections; a program may be a little busier. */
const MOST_CALLS_AT_ONCE_PER_USER = 24

/** A heavy answer holds a place until its reader has taken it. */
const MOST_UNREAD_ANSWERS_PER_USER = 24

/** A session's, or that of an API token. */
const BEARER = new RegExp(`^Bearer ((?:${API_TOKEN_PREFIX})?[A-Za-z0-9_-]{43})$`, 'i')

/** Answers one request to a call, whatever happens: with its answer or with a refusal of the contract. */
export function createCallPerformer(deps: CallDeps) {
  const { admission: admit } = deps

  const callPlace = createPlaces(MOST_CALLS_AT_ONCE_PER_USER)
  const atOnce = createConcurrencyLimit(callPlace)
  const inQueue = createChangeQueue()
  const heavy = createFairShare()
  const send = createAnswerSender({ checksAnswers: deps.checksAnswers, log: deps.log, heavy })
  const unreadPlace = createPlaces(MOST_UNREAD_ANSWERS_PER_USER)
  const rowStreamPlace = createRowStreamPlaces(deps.sharedCounts)
  const streamPlace = createStreamPlaces(deps.streamLimits)

  async function admitted(call: Call, request: FastifyRequest, client: Client): Promise<Caller | undefined> {
    if (call.permission !== 'public') return known(request, client)
    const limitKey = limitKeyOf(client.address)
    if (call.knowsBrowser) return undefined
    if (call.changes) admit.publicChange(limitKey)
    else admit.publicRead(limitKey)
    return undefined
  }

  async function known(request: FastifyRequest, client: Client): Promise<Caller> {
    const token = tokenOf(request)
    const caller = token === undefined ? undefined : await deps.authenticate(token, client, request.headers.cookie)
    if (caller) return caller
    admit.unauthenticated(limitKeyOf(client.address))
    throw new CallError('sign_in_required')
  }

  /** A known browser is counted by itself: strangers behind the same address cannot use up what is its owner's. */
  async function admittedByName(body: unknown, { headers }: FastifyRequest, client: Client): Promise<Client> {
    const { username } = body as { readonly username: string }
    const browser = await deps.recogniseBrowser?.(headers.cookie, username)
    admit.signIn(browser ?? limitKeyOf(client.address))
    return browser === undefined ? client : { ...client, browser }
  }

  async function perform(route: Route, request: FastifyRequest, reply: FastifyReply, asker: Asker, change: OpenChange) {
    const { call } = route
    if (call.changes && call.method === 'GET' && request.method === 'GET') refuseNavigation(request.headers)
    const from = call.beginsSession ? { ...clientOf(request), ...bindingOf(request.headers) } : clientOf(request)
    const arrivedAtMs = performance.now()
    const read = isPlainRead(route)
      ? await readAhead(route, request, { asker, change, response: reply.raw })
      : undefined
    if (read) return send.made(reply, call, read)
    const caller = await admitted(call, request, from).then((found) => found && provedFor(call, found))
    if (caller) {
      asker.caller = caller
      change.madeBy(caller, request.headers[BULK_HEADER.toLowerCase()])
    }
    const given = await admittedWith(call, request, caller, change)
    if (call.stepUp === 'ofSeveral' && caller) await refuseSeveral(deps.countUnproved, caller, given)
    const client = call.knowsBrowser ? await admittedByName(given.body, request, from) : from
    const setHeader = (name: string, value: string) => void reply.header(name, value)
    const idempotencyKey = call.takesIdempotencyKey ? idempotencyKeyOf(request.headers) : undefined
    const coding = codingOf(call, request)
    const asked = { ...given, caller, client, arrivedAtMs, change, setHeader, coding, idempotencyKey }
    const reader = { user: subjectOf(caller), limitKey: limitKeyOf(client.address) }
    if (route.kind === 'stream') {
      const opened = await openEventStream(reply, async (stream) => {
        await atOnce(reader.user, () => route.open(asked, stream))
        stream.onClose(streamPlace({ ...reader, end: endOf(stream) }))
      })
      deps.measures.noteStream(call.path, reply.raw)
      return opened
    }
    if (route.kind === 'rows') {
      const leave = await untilPlace(() => rowStreamPlace(reader), reply.raw)
      const { made } = await inPlace(leave, () => route.run(asked))
      return send.rows(reply, { call, user: reader.user, rows: made, leave })
    }
    const made = await make(route, asked, reply.raw)
    if (!change.isWritten()) throw new Error(`${call.path} ended without its audit row.`)
    return send.made(reply, call, made)
  }

  /** Whether this caller may ask this, and what they ask. */
  async function admittedWith(call: Call, request: FastifyRequest, caller: Caller | undefined, change: OpenChange) {
    if (caller?.apiToken) admit.apiToken(subjectOf(caller))
    else if (caller) admit.user(subjectOf(caller))
    if (!isAllowed(call.permission, caller)) throw new CallError('forbidden')
    if (caller?.apiToken && !isInScopes(call, caller.apiToken.scopes)) throw new CallError('forbidden', NOT_IN_SCOPES)
    if (call.stepUp === 'always' && caller) requireFreshProof(caller)
    return readGiven(call, request, change).catch((fault: unknown) => {
      if (call.knowsBrowser) admit.publicChange(limitKeyOf(request.clientAddress))
      throw fault
    })
  }

  /**
   * A read for whoever used the token last time, made while the database is asked who it is now: one round trip instead
   * of two. Nothing of it is sent, and no fault of it told, before that is answered.
   *
   * @returns undefined where nobody can be guessed, or they are not who they were
   */
  async function readAhead(
    route: MadeRoute,
    request: FastifyRequest,
    { asker, change, response }: { asker: Asker; change: OpenChange; response: FastifyReply['raw'] },
  ) {
    const [token, client] = [tokenOf(request), clientOf(request)]
    const likeliest = token === undefined ? undefined : deps.likelyCaller?.(token, client)
    if (likeliest === undefined) return undefined
    const likely = provedFor(route.call, likeliest)
    const begun = (async () => {
      const given = await admittedWith(route.call, request, likely, change)
      const arrivedAtMs = performance.now()
      const coding = codingOf(route.call, request)
      const asked = { ...given, caller: likely, client, arrivedAtMs, change, setHeader: refuseHeader, coding }
      return make(route, asked, response)
    })()
    // Told later, or never.
    begun.catch(() => undefined)
    try {
      const caller = provedFor(route.call, await known(request, client))
      asker.caller = caller
      if (isDeepStrictEqual(caller, likely)) return await begun
    } catch (fault) {
      discard(begun)
      throw fault
    }
    discard(begun)
    return undefined
  }

  async function make(
    route: MadeRoute,
    asked: Parameters<MadeRoute['run']>[0],
    response: FastifyReply['raw'],
  ): Promise<Made> {
    const { caller } = asked
    if (route.kind === 'answer' && route.call.changes && caller) {
      const run = (change: ChangeRecord) => route.run({ ...asked, change })
      return { kind: route.kind, answer: await inQueue({ caller, change: asked.change, response, run }) }
    }
    if (route.kind !== 'json-text') {
      const run = () => route.run(asked)
      return { kind: route.kind, answer: await (caller ? atOnce(subjectOf(caller), run) : run()) }
    }
    if (route.isHeavy) return makeHeavy(() => route.run(asked), subjectOf(caller), response)
    const { made, leave } = await inPlace(callPlace(subjectOf(caller)), () => route.run(asked))
    if (typeof made === 'object' && 'parts' in made) return { kind: 'parts', ...made, leave }
    return { kind: 'text', text: made, leave }
  }

  /** Answers are looked at before they are compressed. */
  const codingOf = (call: Call, { headers }: FastifyRequest) =>
    deps.checksAnswers || !mayBeCompressed(call) ? undefined : bestCoding(headers['accept-encoding'])

  /** In turns of its user, whom nobody else's short reads wait for. */
  async function makeHeavy(
    run: () => Promise<JsonText>,
    user: string,
    response: FastifyReply['raw'],
  ): Promise<Extract<Made, { kind: 'text' | 'parts' }>> {
    const end = await heavy.take(user, response)
    const made = await run().finally(end)
    const isText = typeof made === 'string' || Buffer.isBuffer(made)
    const leave = await untilPlace(() => unreadPlace(user), response).catch(async (fault: unknown) => {
      if (!isText) await made.parts.return()
      throw fault
    })
    if (isText) return { kind: 'text', text: made, leave }
    return { ...made, kind: 'parts', parts: heavy.parts(user, made.parts), leave }
  }

  return async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const change = openChange(route.call, clientOf(request), deps.audit)
    const asker: Asker = { address: request.clientAddress }
    try {
      return await traced(route.call.path, spanOf(request), async ({ note }) => {
        const sent = await perform(route, request, reply, asker, change)
        note({ 'http.response.status_code': reply.statusCode })
        return sent
      })
    } catch (error) {
      const { refusal, isFault, mayStand } = await judged(error, change)
      const about = { requestId: request.id, call: route.call.path }
      if (isFault) deps.log.error({ ...about, fault: loggable(error) }, 'a call failed')
      if (error instanceof RateLimited) deps.limitRefusals?.note(askerRefusal(asker, route.call.path))
      else if (!mayStand) {
        await change
          .refused(refusal.code, refusal.message)
          .catch((fault: unknown) =>
            deps.log.error({ ...about, fault: loggable(fault) }, 'an audit row was not written'),
          )
      }
      return sendRefusal(reply, refusal)
    }
  }
}

const NOT_IN_SCOPES = 'This API token was not made for this call.'

/** Whose calls are counted together: a user's, and of each API token by itself. */
const subjectOf = (caller: Caller | undefined) =>
  caller?.apiToken ? `token ${caller.apiToken.id}` : String(caller?.userId)

type MadeRoute = Extract<Route, { kind: 'answer' | 'json-text' | 'file' }>

/** Changes nothing, and has no body, which is read only once: it may be made in vain. */
const isPlainRead = (route: Route): route is MadeRoute =>
  (route.kind === 'answer' || route.kind === 'json-text') &&
  route.call.method === 'GET' &&
  !route.call.changes &&
  route.call.permission !== 'public'

/** Nobody sits before a plain client who could prove anything, so a described call takes its session as the proof. */
const provedFor = ({ path }: Call, caller: Caller): Caller =>
  caller.isPlainClient && DESCRIBED_CALLS.has(path) ? { ...caller, freshFactor: true } : caller

/** What was made for somebody else than who asked: nobody looks at it. */
function discard(begun: Promise<Made>): void {
  begun.then(
    (made) => {
      if ('leave' in made) made.leave()
      return made.kind === 'parts' ? made.parts.return() : undefined
    },
    () => undefined,
  )
}

function refuseHeader(name: string): never {
  throw new Error(`A read sets no headers, and this one sets ${name}.`)
}

/** Without the address, which may hold what somebody typed. */
const spanOf = ({ id, headers, method }: FastifyRequest) => ({
  kind: 'server' as const,
  isRoot: true,
  attributes: { 'http.request.method': method, 'wayside.request.id': id },
  parent: typeof headers.traceparent === 'string' ? headers.traceparent : undefined,
})

const tokenOf = (request: FastifyRequest) => BEARER.exec(request.headers.authorization ?? '')?.[1]

const FAULTS: readonly ErrorCode[] = ['internal_error', 'not_ready', 'outcome_unknown', 'command_outcome_unknown']

/**
 * What is told of anything that was thrown. A fault after the audit row was written may be one of a change that stands:
 * the database is asked, and where it cannot say so, nobody is told to try again.
 */
async function judged(error: unknown, change: OpenChange) {
  const refusal = refusalOf(error)
  const isFault = FAULTS.includes(refusal.code)
  if (!isFault) return { refusal, isFault, mayStand: false }
  if (refusal.status === 504) return { refusal, isFault, mayStand: true }
  const outcome = await change.outcome()
  if (outcome === 'aborted') return { refusal, isFault, mayStand: false }
  const code = outcome === 'committed' ? 'answer_lost' : 'outcome_unknown'
  return { refusal: new CallError(code), isFault, mayStand: true }
}

function clientOf(request: FastifyRequest): Client {
  return { address: request.clientAddress, userAgent: (request.headers['user-agent'] ?? '').slice(0, 300) }
}

/** What a browser that signs in asks its session to be bound to. */
function bindingOf({ cookie = '', origin, ...headers }: FastifyRequest['headers']): Pick<Client, 'binding'> {
  return headers[BIND_HEADER.toLowerCase()] === 'cookie' ? { binding: { cookies: cookie, origin } } : {}
}

/** @param leave gives the place back: at once when there is nothing to send, and else by whoever sends it */
async function inPlace<Result>(
  leave: () => void,
  make: () => Promise<Result>,
): Promise<{ readonly made: Result; readonly leave: () => void }> {
  try {
    return { made: await make(), leave }
  } catch (error) {
    leave()
    throw error
  }
}
