import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BULK_HEADER, type Call } from '#contract/call/call.ts'
import type { UserId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Audit, AuditAuthor, AuditedThing, AuditRow } from './audit.store.ts'
import { CallError } from './callError.ts'
import type { Caller } from './caller.ts'
import type { ChangeRecord, Client } from './route.ts'

export interface OpenChange extends ChangeRecord {
  /**
   * @param bulkName the header that names the bulk action, undefined for a single change
   * @throws CallError when it is no UUID
   */
  readonly madeBy: (caller: Caller, bulkName: unknown) => void
  /**
   * Writes the one row of a refused use, unless its change stands. A row of a transaction that was rolled back is gone.
   */
  readonly refused: (code: string, sentence: string) => Promise<void>
  readonly isWritten: () => boolean
  /** Finds what became of the change whose row was written, for a call that failed afterwards. */
  readonly outcome: () => Promise<'committed' | 'aborted' | 'unknown'>
}

const NOTHING: OpenChange = {
  madeBy: () => undefined,
  about: () => undefined,
  done: async () => undefined,
  stands: () => undefined,
  refused: async () => undefined,
  isWritten: () => true,
  outcome: async () => 'aborted',
}

export function openChange(
  { changes, path }: Pick<Call, 'changes' | 'path'>,
  client: Pick<Client, 'address'>,
  audit: Audit,
): OpenChange {
  if (!changes) return NOTHING
  let author: AuditAuthor = { username: '', address: client.address }
  let known: AuditedThing = {}
  let bulkId: string | undefined
  let by: string | undefined
  let sessionHash: string | undefined
  let transactionNumber: string | undefined
  let isCommitted = false
  const row = (outcome: string, thing: AuditedThing): AuditRow => {
    const details = [by, thing.details].filter(Boolean).join(' ')
    const about = {
      change: changes,
      call: path,
      outcome,
      author,
      thing: by === undefined ? thing : { ...thing, details },
    }
    return bulkId === undefined ? about : { ...about, bulkId }
  }
  return {
    madeBy: (caller, bulkName) => {
      const { userId, username, apiToken } = caller
      const customerId = apiToken ? apiToken.userCustomerId : caller.customerId
      author = { ...author, userId, username, ...(customerId === undefined ? {} : { customerId }) }
      sessionHash = apiToken ? undefined : caller.sessionHash
      by = apiToken && `By the API token “${apiToken.name}” (${apiToken.beginning}…).`
      bulkId = bulkIdOf(bulkName, userId, path)
    },
    about: (thing, by) => {
      known = { ...known, ...thing }
      author = { ...author, ...by }
    },
    done: async (transaction, thing) => {
      known = { ...known, ...thing }
      transactionNumber = await audit.write(row('done', known), transaction)
    },
    stands: () => {
      isCommitted = transactionNumber !== undefined
    },
    refused: async (code, sentence) => {
      if (isCommitted) return
      // Before and after belong to a change that did not happen, and the caller may not be permitted to see the scope
      // of a refused thing.
      const { id, name } = known
      const thing = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }), details: sentence }
      const held = code === 'step_up_required' && sessionHash !== undefined ? { heldForSession: sessionHash } : {}
      await audit.write({ ...row(code, thing), ...held })
    },
    isWritten: () => isCommitted || transactionNumber !== undefined,
    outcome: async () => {
      if (isCommitted) return 'committed'
      return transactionNumber === undefined ? 'aborted' : audit.outcomeOf(transactionNumber)
    },
  }
}

const bulkName = z.guid().toLowerCase()

/**
 * Makes the id that the audit rows of one bulk action share, from the name that the caller gave it, the caller and the
 * path. So no row can join the bulk action of somebody else, or hide among changes of another kind.
 * @param given the header as it came, undefined for a single change
 * @returns a UUID
 * @throws CallError invalid_request when the header is no UUID
 */
function bulkIdOf(given: unknown, userId: UserId, path: string): string | undefined {
  if (given === undefined) return undefined
  const read = bulkName.safeParse(given)
  if (!read.success) throw new CallError('invalid_request', notValid(BULK_HEADER))
  const digits = createHash('sha256').update(`${userId} ${path} ${read.data}`).digest('hex')
  // Version 8 stands for UUIDs that are made by a custom rule.
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return [...parts, digits.slice(20, 32)].join('-')
}
