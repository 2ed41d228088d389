import type { Call } from '#contract/call/call.ts'
import type { Audit, AuditAuthor, AuditedThing, AuditRow } from './audit.store.ts'
import { bulkIdOf } from './bulkAction.ts'
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
