import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_ENTITIES, type ReadBodyOf } from '#contract/call/call.ts'
import { AUDIT_PAGE_SIZE, listAudit, listAuditActions, listAuditEntityTypes } from '#contract/http/insight/auditLog.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { askedPage, isPaged, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { justAfter } from '#server/http/reading/period.ts'
import { type AuditFilter, auditPage, countAuditRows } from './auditLog.store.ts'
import { auditSealJob } from './auditSealJob.ts'
import { erasePersonsJob } from './erasePersonsJob.ts'

type Request = ReadBodyOf<typeof listAudit>

const auditKey = z.strictObject({ at: z.iso.datetime(), id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER) })

/** Answers who did what; users of a customer see what concerns their customer (rules/lists 5). */
export const auditLogFeature = ({ db, log }: Pick<Given, 'db' | 'log'>) => ({
  routes: [
    route(listAudit, ({ body, caller }) => listEntries(db, body, caller)),
    route(listAuditActions, () => [...AUDIT_ACTIONS]),
    route(listAuditEntityTypes, () => [...AUDIT_ENTITIES]),
  ],
  jobs: [auditSealJob(log), erasePersonsJob(log)],
})

async function listEntries(db: Db, body: Request, caller: Caller) {
  const scope = scopeOf(caller)
  const page = askedPage({ ...body, next: body.next || undefined }, AUDIT_PAGE_SIZE, (key) =>
    readPageKey(key, auditKey),
  )
  const [filter, folds] = [filterOf(body, caller), body.folds === true]
  const { rows, next } = await readPage(
    page,
    (asked) => auditPage(db, scope, filter, { ...asked, folds }),
    ({ key }) => key,
  )
  const entries = rows.map(({ entry }) => entry)
  if (!isPaged(body)) return entries
  const isWhole = next === null && page.after === undefined && (rows.length > 0 || page.skip === 0)
  const total = isWhole ? page.skip + rows.length : await countAuditRows(db, scope, filter, folds)
  return { rows: entries, total, next }
}

function filterOf(
  { dateFrom, dateTo, entityName, details, changed, byOthers, ...ids }: Request,
  { userId }: Caller,
): AuditFilter {
  return {
    actionId: ids.actionId ?? undefined,
    entityTypeId: ids.entityTypeId ?? undefined,
    entityId: ids.entityId ?? undefined,
    userId: ids.userId ?? undefined,
    bulkId: ids.bulkId ?? undefined,
    changedByOthersThan: byOthers === true ? userId : undefined,
    entityName: entityName?.trim() || undefined,
    details: details?.trim() || undefined,
    changed: changed?.trim() || undefined,
    from: dateFrom ? new Date(dateFrom) : undefined,
    to: dateTo ? justAfter(new Date(dateTo)) : undefined,
  }
}
