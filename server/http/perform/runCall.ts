import type { ServerResponse } from 'node:http'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { CallRequest, ChangeRecord, JsonText, MadeApart, PdfAnswer, Route } from '../call/route.ts'
import { createChangeQueue } from '../limits/changeQueue.ts'
import { FairShare, untilPlace } from '../limits/fairShare.ts'
import { createRowStreamPlaces, createStreamPlaces, type Reader, type StreamLimits } from '../limits/lastingAnswers.ts'
import { createPlaces } from '../limits/rateLimits.ts'
import type { SharedCounts } from '../limits/SharedCounts.store.ts'
import { subjectOf } from './admitCall.ts'

/** A browser opens six connections; a program may be a little busier. */
const MOST_CALLS_AT_ONCE_PER_USER = 24

/** A heavy answer holds a place until its reader has taken it. */
const MOST_UNREAD_ANSWERS_PER_USER = 24

export type CallLimits = ReturnType<typeof createCallLimits>

export function createCallLimits(sharedCounts: SharedCounts | undefined, streamLimits: StreamLimits | undefined) {
  return {
    callPlace: createPlaces(MOST_CALLS_AT_ONCE_PER_USER),
    unreadPlace: createPlaces(MOST_UNREAD_ANSWERS_PER_USER),
    rowStreamPlace: createRowStreamPlaces(sharedCounts),
    streamPlace: createStreamPlaces(streamLimits),
    changeQueue: createChangeQueue(),
    heavyReads: new FairShare(),
  }
}

interface Placed {
  /** Gives the caller's place back once the answer is sent. Until then the answer stays in memory. */
  readonly leave: () => void
}

export type Made =
  | { readonly kind: 'answer' | 'file'; readonly answer: unknown }
  | { readonly kind: 'pdf'; readonly answer: PdfAnswer }
  | ({ readonly kind: 'text'; readonly text: string } & Placed)
  | (MadeApart & { readonly kind: 'parts' } & Placed)
  | ({ readonly kind: 'rows'; readonly user: string; readonly rows: AsyncIterable<unknown> | MadeApart } & Placed)

type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>

/**
 * Runs the handler of a call that was admitted and read, within what its caller may have at once.
 * @throws RateLimited when the caller's places are all taken, and what the handler throws
 */
export async function runCall(
  route: Exclude<Route, { kind: 'stream' }>,
  asked: CallRequest,
  limits: CallLimits,
  response: ServerResponse,
): Promise<Made> {
  if (route.kind === 'rows') return runRows(route, asked, limits, response)
  if (route.kind === 'json-text') {
    return route.isHeavy ? runHeavy(route, asked, limits, response) : runText(route, asked, limits)
  }
  const { caller } = asked
  if (route.kind === 'answer' && route.call.changes && caller) {
    const run = (change: ChangeRecord) => route.run({ ...asked, change })
    return { kind: route.kind, answer: await limits.changeQueue({ caller, change: asked.change, response, run }) }
  }
  const leave = caller ? limits.callPlace(subjectOf(caller)) : undefined
  return { kind: route.kind, answer: await route.run(asked).finally(leave) } as Made
}

export const readerOf = ({ caller, client }: CallRequest): Reader => ({
  user: subjectOf(caller),
  limitKey: limitKeyOf(client.address),
})

async function runRows(
  route: RouteOf<'rows'>,
  asked: CallRequest,
  { rowStreamPlace }: CallLimits,
  response: ServerResponse,
): Promise<Made> {
  const reader = readerOf(asked)
  const leave = await untilPlace(() => rowStreamPlace(reader), response)
  return { kind: 'rows', user: reader.user, rows: await keptWhenRun(() => route.run(asked), leave), leave }
}

async function runText(route: RouteOf<'json-text'>, asked: CallRequest, { callPlace }: CallLimits): Promise<Made> {
  const leave = callPlace(subjectOf(asked.caller))
  return placed(await keptWhenRun(() => route.run(asked), leave), leave)
}

/** Waits behind the user's other heavy calls, so that nobody else's short reads wait for them. */
async function runHeavy(
  route: RouteOf<'json-text'>,
  asked: CallRequest,
  { heavyReads, unreadPlace }: CallLimits,
  response: ServerResponse,
): Promise<Made> {
  const user = subjectOf(asked.caller)
  const endRead = await heavyReads.take(user, response)
  const text = await route.run(asked).finally(endRead)
  const leave = await untilPlace(() => unreadPlace(user), response).catch(async (fault: unknown) => {
    if (isInParts(text)) await text.parts.return()
    throw fault
  })
  return placed(isInParts(text) ? { ...text, parts: heavyReads.parts(user, text.parts) } : text, leave)
}

const isInParts = (text: JsonText): text is MadeApart => typeof text === 'object'

const placed = (text: JsonText, leave: () => void): Made =>
  isInParts(text) ? { ...text, kind: 'parts', leave } : { kind: 'text', text, leave }

/** Gives a place back at once when the run fails, because no answer will be sent that could give it back. */
async function keptWhenRun<Result>(run: () => Promise<Result>, leave: () => void): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    leave()
    throw error
  }
}
