import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '#contract/errors.ts'
import { CallError } from '../call/callError.ts'
import type { OpenChange } from '../call/openChange.ts'
import { loggable, refusalOf } from '../call/refusal.ts'
import { askerRefusal, type LimitRefusals } from '../limits/LimitRefusals.store.ts'
import { RateLimited } from '../limits/rateLimits.ts'
import type { IncomingCall } from './admitCall.ts'
import { sendRefusal } from './sendAnswer.ts'

const FAULTS: readonly ErrorCode[] = ['internal_error', 'not_ready', 'outcome_unknown', 'command_outcome_unknown']

export interface RefuseDeps {
  readonly log: Logger
  /** Refusals by limits leave one audit row for a client and hour; without it they leave none. */
  readonly limitRefusals?: Pick<LimitRefusals, 'note'>
}

/** Ends a call that was refused or failed: in the log, in the audit log, and with a refusal of the contract. */
export async function refuseCall(
  { route, request, reply, change, asker }: IncomingCall,
  error: unknown,
  { log, limitRefusals }: RefuseDeps,
): Promise<FastifyReply> {
  const { refusal, isFault, mayStand } = await judged(error, change)
  const about = { requestId: request.id, call: route.call.path }
  if (isFault) log.error({ ...about, fault: loggable(error) }, 'a call failed')
  if (error instanceof RateLimited) limitRefusals?.note(askerRefusal(asker, route.call.path))
  else if (!mayStand) {
    await change
      .refused(refusal.code, refusal.message)
      .catch((fault: unknown) => log.error({ ...about, fault: loggable(fault) }, 'an audit row was not written'))
  }
  return sendRefusal(reply, refusal)
}

/**
 * Decides what to answer for anything that was thrown. The change may stand although the call failed after its audit
 * row was written, so the database is asked. Where it cannot tell, the answer must not ask the client to try again.
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
