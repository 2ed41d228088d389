import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BULK_HEADER } from '#contract/call/call.ts'
import type { UserId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from './callError.ts'

const name = z.guid().toLowerCase()

/**
 * By which the rows of one bulk action are known: of the name that the caller gave it, of who that is and of what they
 * call. So nobody's row joins those of somebody else, and nothing hides among changes of another kind.
 *
 * @param given the header as it came, undefined where it is none of a bulk action
 * @returns a UUID
 * @throws CallError invalid_request when the header is no UUID
 */
export function bulkIdOf(given: unknown, userId: UserId, path: string): string | undefined {
  if (given === undefined) return undefined
  const read = name.safeParse(given)
  if (!read.success) throw new CallError('invalid_request', notValid(BULK_HEADER))
  const digits = createHash('sha256').update(`${userId} ${path} ${read.data}`).digest('hex')
  // Version 8: made by a rule of one's own.
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return [...parts, digits.slice(20, 32)].join('-')
}
