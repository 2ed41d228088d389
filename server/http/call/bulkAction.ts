import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BULK_HEADER } from '#contract/call/call.ts'
import type { UserId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from './callError.ts'

const name = z.guid().toLowerCase()

/**
 * Makes the id that the audit rows of one bulk action share, from the name that the caller gave it, the caller and the
 * path. So no row can join the bulk action of somebody else, or hide among changes of another kind.
 * @param given the header as it came, undefined for a single change
 * @returns a UUID
 * @throws CallError invalid_request when the header is no UUID
 */
export function bulkIdOf(given: unknown, userId: UserId, path: string): string | undefined {
  if (given === undefined) return undefined
  const read = name.safeParse(given)
  if (!read.success) throw new CallError('invalid_request', notValid(BULK_HEADER))
  const digits = createHash('sha256').update(`${userId} ${path} ${read.data}`).digest('hex')
  // Version 8 stands for UUIDs that are made by a custom rule.
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return [...parts, digits.slice(20, 32)].join('-')
}
