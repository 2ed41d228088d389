import type { Call, QuestionOf } from '#contract/call/call.ts'
import { ANSWER_WITHIN_MS, requestOf } from './callRequest.ts'
import { readSession } from './sessionStore.ts'

const FRESH_MS = 10_000

interface Begun {
  readonly call: Call
  readonly query: unknown
  readonly token: string
  readonly atMs: number
  readonly heard: Promise<Heard>
}

export interface Heard {
  readonly response: Response
  readonly atMs: number
}

export const hear = async (...asked: Parameters<typeof fetch>): Promise<Heard> => {
  const response = await fetch(...asked)
  return { response, atMs: Date.now() }
}

const begun = new Map<string, Begun>()

/** It makes a call before the code that needs it is loaded; the first to make the same call gets its answer. */
export function beginCall<C extends Call>(call: C, query: QuestionOf<C>) {
  const token = readSession()?.accessToken
  if (token === undefined || call.method !== 'GET' || call.changes !== undefined) return
  const [address, init] = requestOf(call, { query }, token, ANSWER_WITHIN_MS)
  const heard = hear(address, init)
  // The failure is reported to whoever takes the answer; without this handler it would be unhandled if nobody does.
  heard.catch(() => undefined)
  begun.set(address, { call, query, token, atMs: performance.now(), heard })
}

/** Each answer is given once, and only to the session that it was requested with. */
export function takeBegun(address: string, token: string | undefined): Promise<Heard> | undefined {
  const found = begun.get(address)
  begun.delete(address)
  const isGood = found && found.token === token && performance.now() - found.atMs < FRESH_MS
  return isGood ? found.heard : undefined
}

export const begunQuestions = (): readonly Pick<Begun, 'call' | 'query'>[] => [...begun.values()]
