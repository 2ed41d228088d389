import { type PageAddress, type Parameters, pageOf, readPage, withoutEmpty } from '#console/lib/listAddress.ts'
import { text, wholeNumber } from '#console/router/addressFields.ts'
import { AUDIT_PAGE_SIZE, type listAudit } from '#contract/http/audit.ts'
import type { BodyOf } from '#contract/http/call.ts'
import type { UserId } from '#domain/ids.ts'

/** What the filter bar holds, by the names of the call (P2 §3 "Audit filter"). */
export interface AuditFilter {
  readonly actionId?: number
  readonly entityTypeId?: number
  readonly entityId?: number
  readonly entityName?: string
  readonly userId?: UserId
  readonly details?: string
  readonly dateFrom?: string
  readonly dateTo?: string
}

/** Absent and empty values take a part of the filter away. */
export type AuditFilterChange = { readonly [Key in keyof AuditFilter]?: AuditFilter[Key] | undefined }

/** Everything of the log that lives in the address, so that Back, reload and a pasted link restore it. */
export interface AuditAddress extends AuditFilter, PageAddress {}

/** Every parameter absent: setting an address in part would leave the others behind. */
export const BARE_AUDIT_ADDRESS = {
  actionId: undefined,
  entityTypeId: undefined,
  entityId: undefined,
  entityName: undefined,
  userId: undefined,
  details: undefined,
  dateFrom: undefined,
  dateTo: undefined,
  page: undefined,
  next: undefined,
} satisfies { [Name in keyof Required<AuditAddress>]: undefined }

export function readAuditAddress(parameters: Parameters): AuditAddress {
  const filter = withoutEmpty({
    actionId: wholeNumber(parameters.actionId),
    entityTypeId: wholeNumber(parameters.entityTypeId),
    entityId: wholeNumber(parameters.entityId),
    entityName: text(parameters.entityName),
    userId: wholeNumber(parameters.userId) as UserId | undefined,
    details: text(parameters.details),
    dateFrom: addressMoment(parameters.dateFrom),
    dateTo: addressMoment(parameters.dateTo),
  })
  return { ...filter, ...readPage(parameters) }
}

function addressMoment(value: unknown): string | undefined {
  const at = typeof value === 'string' ? new Date(value) : undefined
  return at && !Number.isNaN(at.getTime()) && at.getFullYear() > 1900 && at.getFullYear() < 9999
    ? at.toISOString()
    : undefined
}

export function filterOf({ page: _page, next: _next, ...filter }: AuditAddress): AuditFilter {
  return filter
}

/** A changed filter starts again at the first page. */
export function withFilter(address: AuditAddress, change: AuditFilterChange): AuditAddress {
  return withoutEmpty({ ...filterOf(address), ...change }) as AuditAddress
}

/** 1-based: steps by 50 and never below 1 (P2 §9). */
export const firstRowOf = (address: AuditAddress) => (pageOf(address) - 1) * AUDIT_PAGE_SIZE + 1

export function auditBodyOf(address: AuditAddress): BodyOf<typeof listAudit> {
  const place = address.next ? { next: address.next } : { rowNum: firstRowOf(address) }
  return { ...filterOf(address), pageSize: AUDIT_PAGE_SIZE, ...place }
}
