import { type SavedView, setView, type ViewContent, viewContent } from '#contract/http/devices/views.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import type { ViewRow, WrittenView } from './views.store.ts'

export type Share = Pick<WrittenView, 'roleId' | 'customerId'>

/**
 * Only staff may share with a role, because roles belong to the whole installation. A customer's admins and staff may
 * share with the customer.
 */
export function mayShare({ roleId, customerId }: Share, caller: Caller): boolean {
  if (roleId !== null) return isAllowed('staffAdmin', caller)
  if (customerId === null) return true
  return isWithin(scopeOf(caller), customerId) && (caller.customerId === undefined || isAllowed('admin', caller))
}

/**
 * The owner may change a view, and so may whoever manages what it is shared with. Callers who only see devices may not.
 */
export function mayChange(view: ViewRow, caller: Caller): boolean {
  if (!isAllowed(setView.permission, caller)) return false
  if (view.ownerId === caller.userId) return true
  if (view.roleId === null && view.customerId === null) return false
  if (isAllowed('staffAdmin', caller)) return true
  const isOfCustomer = view.customerId !== null && view.customerId === caller.customerId
  return isOfCustomer && isAllowed('admin', caller)
}

/** Hides a customer that the caller may not see: its id and the texts that are searched with it. */
export function toView(row: ViewRow, caller: Caller): SavedView {
  const { content, lost } = readContent(row.content, caller)
  const isOwn = row.ownerId === caller.userId
  const seesCustomer = row.customerId !== null && isWithin(scopeOf(caller), row.customerId)
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
  const isLost = customerId !== undefined && customerId !== -1 && !isWithin(scopeOf(caller), customerId)
  return isLost ? { content: { ...content, filter: {} }, lost: 'customer' } : { content, lost: null }
}

/** The audit row is read by the author's customer, so it holds only what the author may see. */
export function auditedOf({ name, content, roleId, customerId }: ViewRow, caller: Caller) {
  return { name, content: readContent(content, caller).content, roleId, customerId }
}
