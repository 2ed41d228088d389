import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_ENTITIES, type ReadBodyOf } from '#contract/call/call.ts'
import { AUDIT_PAGE_SIZE, listAudit, listAuditActions, listAuditEntityTypes } from '#contract/http/audit.ts'
import { CallError } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { readPageKey, writePageKey } from '#server/http/reading/pageKey.ts'
import { justAfter } from '#server/http/reading/period.ts'
import type { AuditFilter, AuditLogStore, AuditPageAsked } from './auditLog.store.ts'

type Asked = ReadBodyOf<typeof listAudit>

const MOST_SKIPPED_ROWS = 10_000
const auditKey = z.strictObject({ at: z.iso.datetime(), id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER) })

/** Who did what (P2 §2 "Audit log screen"): customer users see what concerns their customer. */
export const auditLogRoutes = (store: AuditLogStore): readonly Route[] => [
  route(listAudit, async ({ body, caller }) => {
    const page = askedPage(body)
    // One more than asked tells whether there is a next page.
    const found = await store.page(scopeOf(caller), filterOf(body), { ...page, size: page.size + 1 })
    const rows = found.slice(0, page.size)
    const entries = rows.map(({ entry }) => entry)
    if (!isPaged(body)) return entries
    const end = found.length > page.size ? rows.at(-1) : undefined
    return { rows: entries, total: null, next: end ? writePageKey(end.key) : null }
  }),
  route(listAuditActions, () => [...AUDIT_ACTIONS]),
  route(listAuditEntityTypes, () => [...AUDIT_ENTITIES]),
]

const isPaged = ({ rowNum, pageSize, next }: Asked) => [rowNum, pageSize, next].some((value) => value != null)

/** A key comes before a row number (decisions: Calls). */
function askedPage({ rowNum, pageSize, next }: Asked): AuditPageAsked {
  const size = pageSize ?? AUDIT_PAGE_SIZE
  if (next) return { after: readPageKey(next, auditKey), skip: 0, size }
  if (rowNum != null && rowNum > MOST_SKIPPED_ROWS) throw new CallError('page_too_deep')
  return { skip: (rowNum ?? 1) - 1, size }
}

function filterOf({ dateFrom, dateTo, entityName, details, ...ids }: Asked): AuditFilter {
  return {
    actionId: ids.actionId ?? undefined,
    entityTypeId: ids.entityTypeId ?? undefined,
    entityId: ids.entityId ?? undefined,
    userId: ids.userId ?? undefined,
    entityName: entityName?.trim() || undefined,
    details: details?.trim() || undefined,
    from: dateFrom ? new Date(dateFrom) : undefined,
    to: dateTo ? justAfter(new Date(dateTo)) : undefined,
  }
}
