import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { ERRORS } from '#contract/errors.ts'
import { CALLS } from '#contract/http/table.ts'
import { among, type Random, type Schema, valueFor } from './values.ts'

const ANSWERED_WITHIN_MS = 20_000
/** A long answer is read only this far, to see that it began. */
const READ_OF_STREAMS_MS = 50

export interface Request {
  readonly call: Call
  readonly method: string
  readonly path: string
  readonly contentType: string
  readonly body: string | undefined
}

const schemas = new Map<Call, { readonly query: Schema; readonly body: Schema }>()

function schemasOf(call: Call) {
  const made = schemas.get(call) ?? { query: schemaOf(call.query), body: schemaOf(call.body) }
  schemas.set(call, made)
  return made
}

const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema

const BROKEN_BODIES = ['{', '[1,', 'null', '"', '{"a":1}}', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, '\u0000', 'a=b']
const BROKEN_QUERIES = ['%', 'id=%zz', 'id=1&id=2', '__proto__[x]=1', `id=${'9'.repeat(4_000)}`, 'id=%00', '&&&=']
const CONTENT_TYPES = ['application/xml', 'text/plain', '', 'application/json; charset=utf-16', 'multipart/form-data']

/** Makes one random request to one call of the table. */
export function requestOf(random: Random): Request {
  const call = among(random, CALLS)
  const { query, body } = schemasOf(call)
  const asked = {
    call,
    method: random() < 0.97 ? call.method : among(random, ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']),
    path: call.path,
    contentType: random() < 0.98 ? 'application/json' : among(random, CONTENT_TYPES),
  }
  const parameters = random() < 0.03 ? among(random, BROKEN_QUERIES) : parametersOf(valueFor(query, random))
  const text = random() < 0.03 ? among(random, BROKEN_BODIES) : JSON.stringify(valueFor(body, random))
  const hasBody = asked.method !== 'GET' && asked.method !== 'HEAD'
  return { ...asked, path: `${call.path}?${parameters}`, body: hasBody ? text : undefined }
}

function parametersOf(value: unknown): string {
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const texts = Object.entries(given).map(([name, one]): [string, string] => [
    name,
    typeof one === 'object' ? JSON.stringify(one) : String(one),
  ])
  return String(new URLSearchParams(texts))
}

export interface Judged {
  readonly status: number
  /** A promise of the contract that was broken. */
  readonly wrong?: string
}

/** Checks that the call is answered in time, and as the contract promises. */
export async function judge(httpUrl: string, token: string | undefined, asked: Request): Promise<Judged> {
  const { call, method, path, contentType, body } = asked
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && contentType !== '' && { 'content-type': contentType }),
  }
  const within = AbortSignal.timeout(ANSWERED_WITHIN_MS)
  try {
    const answer = await fetch(`${httpUrl}/api/${path}`, {
      method,
      headers,
      signal: within,
      ...(body !== undefined && { body }),
    })
    const { status } = answer
    if (answer.ok && call.answersWith === 'event-stream') {
      await Promise.race([answer.body?.getReader().read(), new Promise((go) => setTimeout(go, READ_OF_STREAMS_MS))])
      await answer.body?.cancel().catch(() => undefined)
      return { status }
    }
    const text = await answer.text()
    const wrong = answer.ok ? wrongAnswer(asked, text) : wrongRefusal(asked, status, text)
    return { status, ...(wrong !== undefined && { wrong }) }
  } catch (error) {
    return {
      status: 0,
      wrong: `no answer: ${error instanceof Error ? `${error.message} ${error.cause ?? ''}` : error}`,
    }
  }
}

function wrongAnswer({ call, method }: Request, text: string): string | undefined {
  if (call.answersWith !== undefined || method === 'HEAD') return undefined
  const checked = call.answer.safeParse(JSON.parse(text))
  return checked.success ? undefined : `an answer beside the contract: ${checked.error.message.slice(0, 500)}`
}

function wrongRefusal({ method }: Request, status: number, text: string): string | undefined {
  if (method === 'HEAD' || method === 'OPTIONS') return status < 500 ? undefined : `answered ${status}`
  let code: unknown
  try {
    code = (JSON.parse(text) as { readonly code?: unknown }).code
  } catch {
    return `refused with ${status} and no JSON: ${text.slice(0, 200)}`
  }
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code))
    return `refused with ${status} by no code of the contract`
  if (status === 500) return `answered 500: ${text.slice(0, 200)}`
  return ERRORS[code as keyof typeof ERRORS].status === status
    ? undefined
    : `refused with ${status} and the code ${code}`
}
