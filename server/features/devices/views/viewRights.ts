import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import {
  type listViews,
  MOST_VIEWS,
  type SavedView,
  setView,
  type ViewContent,
  type ViewPage,
  viewContent,
} from '#contract/http/devices/views.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { SavedViewStore, ViewRow, WrittenView } from './views.store.ts'

type Request = ReadBodyOf<typeof setView>
type Share = Pick<WrittenView, 'roleId' | 'customerId'>

export interface SavedViews {
  readonly list: (page: ViewPage, caller: Caller) => Promise<AnswerOf<typeof listViews>>
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<number>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<Record<string, never>>
  readonly setDefault: (
    page: ViewPage,
    id: number | null,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<Record<string, never>>
}

export function createSavedViews(store: SavedViewStore): SavedViews {
  /**
   * @throws CallError `not_found` for a customer that the caller may not see, `forbidden` for what they may not share
   */
  async function checkShare({ roleId, customerId }: Share, before: ViewRow | undefined, caller: Caller, tx: Tx) {
    const isAsBefore = roleId === (before?.roleId ?? null) && customerId === (before?.customerId ?? null)
    if (isAsBefore) return
    if (customerId !== null) await checkCustomer(customerId, caller, tx)
    if (!mayShare({ roleId, customerId }, caller)) throw new CallError('forbidden')
    if (roleId !== null && !(await store.hasRole(roleId, tx))) throw notFound()
  }

  async function checkCustomer(id: CustomerId, caller: Caller, tx: Tx) {
    if (!isInScope(id, caller) || !(await store.hasCustomer(id, tx))) throw notFound()
  }

  async function lockOwn(id: number, caller: Caller, change: ChangeRecord, tx: Tx): Promise<ViewRow> {
    const view = await store.lock(id, caller, tx)
    if (!view) throw notFound()
    change.about({ name: view.name })
    if (!mayChange(view, caller)) throw new CallError('forbidden')
    return view
  }

  return {
    list: async (page, caller) => {
      const [rows, chosenId] = await Promise.all([store.list(page, caller), store.defaultId(page, caller.userId)])
      const isThere = rows.some(({ id }) => id === chosenId)
      return {
        views: rows.map((row) => toView(row, caller)),
        defaultId: isThere ? (chosenId ?? null) : null,
        isDefaultLost: chosenId !== undefined && !isThere,
      }
    },

    set: ({ id: askedId, page, name, content, share }, caller, change) => {
      change.about({ name, ...(askedId > 0 && { id: askedId }) })
      return store.transaction(async (tx) => {
        const count = await store.countOwn(caller.userId, tx)
        const before = askedId > 0 ? await lockOwn(askedId, caller, change, tx) : undefined
        if (before && before.page !== page) throw notFound()
        const after: WrittenView = {
          name,
          content,
          roleId: share?.with === 'role' ? share.id : null,
          customerId: share?.with === 'customer' ? share.id : null,
        }
        await checkShare(after, before, caller, tx)
        const { customerId } = content.filter
        if (customerId !== undefined && customerId !== -1) await checkCustomer(customerId, caller, tx)
        const ownerId = before?.ownerId ?? caller.userId
        if (await store.isNameTaken({ ownerId, page, name, exceptId: before?.id ?? 0 }, tx)) {
          throw new CallError('view_name_taken')
        }
        if (!before && count >= MOST_VIEWS) throw new CallError('too_many_views')
        const id = before?.id ?? (await store.add(ownerId, page, after, tx))
        if (before) await store.change(id, after, tx)
        await change.done(tx, {
          id,
          name,
          ...authorsCustomer(caller),
          ...(before ? { before: auditedOf(before, caller) } : { isNew: true }),
          after,
        })
        return id
      })
    },

    remove: (id, caller, change) => {
      change.about({ id })
      return store.transaction(async (tx) => {
        const before = await lockOwn(id, caller, change, tx)
        await store.remove(id, tx)
        await change.done(tx, { id, name: before.name, ...authorsCustomer(caller), before: auditedOf(before, caller) })
        return {}
      })
    },

    setDefault: (page, id, caller, change) => {
      if (id !== null) change.about({ id })
      return store.transaction(async (tx) => {
        const view = id === null ? undefined : await store.lock(id, caller, tx)
        if (id !== null && view?.page !== page) throw notFound()
        await store.setDefault(page, caller.userId, id, tx)
        await change.done(tx, {
          ...(id !== null && { id }),
          name: view?.name ?? '',
          ...authorsCustomer(caller),
          details: id === null ? `No default on ${page}` : `Default on ${page}`,
        })
        return {}
      })
    },
  }
}

/** Admins of a customer read the audit rows of their own users. */
const authorsCustomer = ({ customerId }: Caller) => (customerId === undefined ? {} : { customerId })

const isInScope = (id: CustomerId, caller: Caller): boolean => {
  const scope = scopeOf(caller)
  return scope.kind === 'everything' || scope.customerId === id
}

/**
 * Only staff may share with a role, because roles belong to the whole installation. A customer's admins and staff may
 * share with the customer.
 */
function mayShare({ roleId, customerId }: Share, caller: Caller): boolean {
  if (roleId !== null) return isAllowed('staffAdmin', caller)
  if (customerId === null) return true
  return isInScope(customerId, caller) && (caller.customerId === undefined || isAllowed('admin', caller))
}

/**
 * The owner may change a view, and so may whoever manages what it is shared with. Callers who only see devices may not.
 */
function mayChange(view: ViewRow, caller: Caller): boolean {
  if (!isAllowed(setView.permission, caller)) return false
  if (view.ownerId === caller.userId) return true
  if (view.roleId === null && view.customerId === null) return false
  if (isAllowed('staffAdmin', caller)) return true
  const isOfCustomer = view.customerId !== null && view.customerId === caller.customerId
  return isOfCustomer && isAllowed('admin', caller)
}

/** Hides a customer that the caller may not see: its id and the texts that are searched with it. */
function toView(row: ViewRow, caller: Caller): SavedView {
  const { content, lost } = readContent(row.content, caller)
  const isOwn = row.ownerId === caller.userId
  const seesCustomer = row.customerId !== null && isInScope(row.customerId, caller)
  return {
    id: row.id,
    name: row.name,
    content,
    lost,
    isOwn,
    ownerName: ownerName(row, caller),
    share:
      row.roleId !== null
        ? { with: 'role', id: row.roleId }
        : seesCustomer && row.customerId !== null
          ? { with: 'customer', id: row.customerId }
          : null,
    shareName: row.roleName ?? (seesCustomer ? row.customerName : null) ?? '',
    mayChange: mayChange(row, caller),
  }
}

function ownerName({ ownerName: name, ownerCustomerId }: ViewRow, { customerId }: Caller): string {
  if (customerId === undefined || ownerCustomerId === customerId) return name
  return ownerCustomerId === null ? 'Staff' : ''
}

function readContent(kept: unknown, caller: Caller): Pick<SavedView, 'content' | 'lost'> {
  const read = viewContent.safeParse(kept)
  if (!read.success) return { content: { filter: {} }, lost: 'filter' }
  const content: ViewContent = read.data
  const { customerId } = content.filter
  const isLost = customerId !== undefined && customerId !== -1 && !isInScope(customerId, caller)
  return isLost ? { content: { ...content, filter: {} }, lost: 'customer' } : { content, lost: null }
}

/** The audit row is read by the author's customer, so it holds only what the author may see. */
function auditedOf({ name, content, roleId, customerId }: ViewRow, caller: Caller) {
  return { name, content: readContent(content, caller).content, roleId, customerId }
}
