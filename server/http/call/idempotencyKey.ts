import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { IDEMPOTENCY_HEADER } from '#contract/call/headers.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from './callError.ts'

const key = z.guid().toLowerCase()

/** @throws CallError invalid_request when the header is no UUID */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[IDEMPOTENCY_HEADER.toLowerCase()]
  if (given === undefined) return undefined
  const read = key.safeParse(given)
  if (!read.success) throw new CallError('invalid_request', notValid(IDEMPOTENCY_HEADER))
  return read.data
}
