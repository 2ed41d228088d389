import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { traced } from '#server/metrics/tracing.ts'
import { bestCoding, mayBeCompressed } from '../answers/answerEncoding.ts'
import { openEventStream } from '../answers/eventStream.ts'
import type { Audit } from '../call/audit.store.ts'
import { openChange } from '../call/openChange.ts'
import type { CallRequest, Route } from '../call/route.ts'
import { endOf, type StreamLimits } from '../limits/lastingAnswers.ts'
import type { SharedCounts } from '../limits/SharedCounts.store.ts'
import { type AdmitDeps, admitCall, admitGiven, type IncomingCall } from './admitCall.ts'
import type { HttpMeasures } from './httpMeasures.ts'
import { readCall } from './readCall.ts'
import { type RefuseDeps, refuseCall } from './refuseCall.ts'
import { type CallLimits, createCallLimits, readerOf, runCall } from './runCall.ts'
import { sendAnswer } from './sendAnswer.ts'

export interface CallDeps extends AdmitDeps, RefuseDeps {
  readonly audit: Audit
  readonly log: Logger
  /** Shares counts with the other processes; without it this one counts alone. */
  readonly sharedCounts?: SharedCounts
  /** Refuses to send an answer that differs from the contract. Tests set it; production sends the answer as it is. */
  readonly checksAnswers: boolean
  readonly measures: HttpMeasures
  readonly streamLimits?: StreamLimits
}

export function createCallPerformer(deps: CallDeps) {
  const limits = createCallLimits(deps.sharedCounts, deps.streamLimits)
  return async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const address = request.clientAddress
    const change = openChange(route.call, { address }, deps.audit)
    const arrivedAtMs = performance.now()
    const incoming: IncomingCall = { route, request, reply, change, arrivedAtMs, asker: { address } }
    try {
      return await traced(route.call.path, spanOf(request), async ({ note }) => {
        const sent = await perform(incoming, deps, limits)
        note({ 'http.response.status_code': reply.statusCode })
        return sent
      })
    } catch (error) {
      return refuseCall(incoming, error, deps)
    }
  }
}

/** Admits, reads, runs and sends, in this order: no step begins before the one above it has ended. */
async function perform(incoming: IncomingCall, deps: CallDeps, limits: CallLimits) {
  const { route, request, reply, change, arrivedAtMs } = incoming
  const { call } = route
  const admitted = await admitCall(incoming, deps)
  const given = await readCall(incoming, deps.admission)
  const client = await admitGiven(incoming, admitted, given, deps)
  const setHeader = (name: string, value: string) => void reply.header(name, value)
  // A checked answer must be plain JSON until it was checked, so it is not compressed while it is made.
  const isCoded = !deps.checksAnswers && mayBeCompressed(call)
  const coding = isCoded ? bestCoding(request.headers['accept-encoding']) : undefined
  const asked: CallRequest = { ...given, caller: admitted.caller, client, arrivedAtMs, change, setHeader, coding }
  if (route.kind === 'stream') return openStream(route, asked, incoming, deps, limits)
  const made = await runCall(route, asked, limits, reply.raw)
  if (!change.isWritten()) throw new Error(`${call.path} ended without its audit row.`)
  return sendAnswer(reply, call, made, { ...deps, heavyReads: limits.heavyReads })
}

async function openStream(
  route: Extract<Route, { kind: 'stream' }>,
  asked: CallRequest,
  { reply }: IncomingCall,
  { measures }: CallDeps,
  { callPlace, streamPlace }: CallLimits,
) {
  const reader = readerOf(asked)
  const opened = await openEventStream(reply, async (stream) => {
    const leave = callPlace(reader.user)
    await route.open(asked, stream).finally(leave)
    stream.onClose(streamPlace({ ...reader, end: endOf(stream) }))
  })
  measures.noteStream(route.call.path, reply.raw)
  return opened
}

/** The address is left out, because it may hold what somebody typed. */
const spanOf = ({ id, headers, method }: FastifyRequest) => ({
  kind: 'server' as const,
  isRoot: true,
  attributes: { 'http.request.method': method, 'wayside.request.id': id },
  parent: typeof headers.traceparent === 'string' ? headers.traceparent : undefined,
})
