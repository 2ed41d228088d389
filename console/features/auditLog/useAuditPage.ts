import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/api.ts'
import type { CallFailed } from '#console/lib/CallFailed.ts'
import { type AuditEntry, listAudit } from '#contract/http/audit.ts'
import type { AnswerOf, BodyOf } from '#contract/http/call.ts'
import { type AuditAddress, type AuditFilter, auditBodyOf } from './auditAddress.ts'

export interface AuditPage {
  readonly rows: readonly AuditEntry[]
  readonly next: string | null
}

const EXPORT_PAGE_SIZE = 500

/** Without paging parameters the call answers a plain list, with them a page. */
const pageIn = (answer: AnswerOf<typeof listAudit>): AuditPage =>
  Array.isArray(answer) ? { rows: answer, next: null } : answer

async function readPage(body: BodyOf<typeof listAudit>, signal: AbortSignal): Promise<AuditPage> {
  return pageIn(await send(listAudit, { body, signal }))
}

/** The page of the audit log that an address means. */
export function useAuditPage(address: AuditAddress): UseQueryResult<AuditPage, CallFailed> {
  const body = auditBodyOf(address)
  return useQuery<AuditPage, CallFailed>({
    queryKey: [listAudit.path, body],
    queryFn: ({ signal }) => readPage(body, signal),
    placeholderData: keepPreviousData,
  })
}

/** Everything that the filter finds, newest first. Throws `CallFailed`. */
export async function* auditBatches(filter: AuditFilter, signal: AbortSignal): AsyncGenerator<readonly AuditEntry[]> {
  let next: string | null | undefined
  do {
    const place = next ? { next } : { rowNum: 1 }
    const page = await readPage({ ...filter, pageSize: EXPORT_PAGE_SIZE, ...place }, signal)
    yield page.rows
    next = page.next
  } while (next)
}
