import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import {
  deleteView,
  listViews,
  MOST_VIEWS,
  setDefaultView,
  setView,
  type ViewPage,
} from '#contract/http/devices/views.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { auditedOf, mayChange, mayShare, type Share, toView } from './viewRights.ts'
import {
  addView,
  changeDefaultView,
  changeView,
  countOwnViews,
  deleteViewRow,
  hasRole,
  isViewNameTaken,
  listVisibleViews,
  lockView,
  readDefaultViewId,
  type ViewRow,
  type WrittenView,
} from './views.store.ts'

export const savedViewsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(listViews, ({ query, caller }) => viewsOf(db, query.page, caller)),
    route(setView, ({ body, caller, change }) => saveView(db, body, caller, change)),
    route(deleteView, ({ body, caller, change }) => removeView(db, body.id, caller, change)),
    route(setDefaultView, ({ body, caller, change }) => setDefault(db, body, caller, change)),
  ],
})

async function viewsOf(db: Db, page: ViewPage, caller: Caller): Promise<AnswerOf<typeof listViews>> {
  const read = [listVisibleViews(db, page, caller), readDefaultViewId(db, page, caller.userId)] as const
  const [rows, chosenId] = await Promise.all(read)
  const isThere = rows.some(({ id }) => id === chosenId)
  return {
    views: rows.map((row) => toView(row, caller)),
    defaultId: isThere ? (chosenId ?? null) : null,
    isDefaultLost: chosenId !== undefined && !isThere,
  }
}

function saveView(
  db: Db,
  { id: askedId, page, name, content, share }: ReadBodyOf<typeof setView>,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  change.about({ name, ...(askedId > 0 && { id: askedId }) })
  const after: WrittenView = {
    name,
    content,
    roleId: share?.with === 'role' ? share.id : null,
    customerId: share?.with === 'customer' ? share.id : null,
  }
  return db.transaction().execute(async (transaction) => {
    const count = await countOwnViews(transaction, caller.userId)
    const before = askedId > 0 ? await lockOwn(transaction, askedId, caller, change) : undefined
    if (before && before.page !== page) throw notFound()
    await requireShare(transaction, after, before, caller)
    const { customerId } = content.filter
    if (customerId !== undefined && customerId !== -1) await requireCustomer(transaction, customerId, scopeOf(caller))
    const ownerId = before?.ownerId ?? caller.userId
    if (await isViewNameTaken(transaction, { ownerId, page, name, exceptId: before?.id ?? 0 })) {
      throw new CallError('view_name_taken')
    }
    if (!before && count >= MOST_VIEWS) throw new CallError('too_many_views')
    const id = before?.id ?? (await addView(transaction, ownerId, page, after))
    if (before) await changeView(transaction, id, after)
    const thing = { id, name, ...authorsCustomer(caller), after }
    await change.done(transaction, {
      ...thing,
      ...(before ? { before: auditedOf(before, caller) } : { isNew: true }),
    })
    return id
  })
}

async function removeView(db: Db, id: number, caller: Caller, change: ChangeRecord): Promise<Record<string, never>> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const view = await lockOwn(transaction, id, caller, change)
    await deleteViewRow(transaction, id)
    const before = auditedOf(view, caller)
    await change.done(transaction, { id, name: view.name, ...authorsCustomer(caller), before })
  })
  return {}
}

async function setDefault(
  db: Db,
  { page, id }: ReadBodyOf<typeof setDefaultView>,
  caller: Caller,
  change: ChangeRecord,
): Promise<Record<string, never>> {
  if (id !== null) change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const view = id === null ? undefined : await lockView(transaction, id, caller)
    if (id !== null && view?.page !== page) throw notFound()
    await changeDefaultView(transaction, page, caller.userId, id)
    await change.done(transaction, {
      ...(id !== null && { id }),
      name: view?.name ?? '',
      ...authorsCustomer(caller),
      details: id === null ? `No default on ${page}` : `Default on ${page}`,
    })
  })
  return {}
}

async function lockOwn(transaction: Tx, id: number, caller: Caller, change: ChangeRecord): Promise<ViewRow> {
  const view = await foundRow(lockView(transaction, id, caller))
  change.about({ name: view.name })
  if (!mayChange(view, caller)) throw new CallError('forbidden')
  return view
}

/**
 * @throws CallError `not_found` for a customer that the caller may not see, `forbidden` for what they may not share
 */
async function requireShare(
  transaction: Tx,
  { roleId, customerId }: Share,
  before: ViewRow | undefined,
  caller: Caller,
): Promise<void> {
  const isAsBefore = roleId === (before?.roleId ?? null) && customerId === (before?.customerId ?? null)
  if (isAsBefore) return
  if (customerId !== null) await requireCustomer(transaction, customerId, scopeOf(caller))
  if (!mayShare({ roleId, customerId }, caller)) throw new CallError('forbidden')
  if (roleId !== null && !(await hasRole(transaction, roleId))) throw notFound()
}

/** Admins of a customer read the audit rows of their own users. */
const authorsCustomer = ({ customerId }: Caller) => (customerId === undefined ? {} : { customerId })
