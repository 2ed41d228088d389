import type { QueryOf } from '#contract/http/call.ts'
import {
  DEVICE_FILTERS,
  DEVICE_SORT_COLUMNS,
  type DeviceFilter,
  type DeviceSortColumn,
  type listDevices,
} from '#contract/http/device.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'

export const DEVICES_PER_PAGE = 100
/** Pages beyond the 10,000th row are reached by key only (decisions: Calls). */
const LAST_NUMBERED_PAGE = 10_000 / DEVICES_PER_PAGE
const LONGEST_TEXT = 200

/** What the filter bar holds, by the parameter names of the call; `filter` is the word of an overview tile. */
export interface DeviceListFilter {
  readonly customerId?: CustomerId
  readonly deviceName?: string
  readonly modelId?: DeviceModelId
  readonly attrSerial?: string
  readonly statusId?: number
  readonly filter?: DeviceFilter
}

/** Everything of the device list that lives in the address, so that Back, reload and a pasted link restore it. */
export interface DeviceListAddress extends DeviceListFilter {
  readonly sort?: DeviceSortColumn
  readonly descending?: true
  /** From 2; absent is the first page. */
  readonly page?: number
  /** Key of the page, where a number no longer reaches. */
  readonly next?: string
}

type Parameters = Readonly<Record<string, unknown>>

/** Reads an address leniently: what makes no sense is left out, the rest still counts. */
export function readDeviceListAddress(parameters: Parameters): DeviceListAddress {
  const page = wholeNumber(parameters.page)
  const next = text(parameters.next)
  const sort = wordOf(DEVICE_SORT_COLUMNS, parameters.sort)
  return {
    ...readDeviceListFilter(parameters),
    ...(sort ? { sort } : {}),
    ...(String(parameters.descending) === 'true' ? { descending: true as const } : {}),
    ...pagePart(page, next),
  }
}

export function readDeviceListFilter(parameters: Parameters): DeviceListFilter {
  return withoutEmpty({
    customerId: wholeNumber(parameters.customerId) as CustomerId | undefined,
    deviceName: text(parameters.deviceName),
    modelId: wholeNumber(parameters.modelId) as DeviceModelId | undefined,
    attrSerial: text(parameters.attrSerial),
    statusId: wholeNumber(parameters.statusId),
    filter: wordOf(DEVICE_FILTERS, parameters.filter),
  })
}

export function filterOf({ customerId, deviceName, modelId, attrSerial, statusId, filter }: DeviceListAddress) {
  return withoutEmpty({ customerId, deviceName, modelId, attrSerial, statusId, filter })
}

export function isFiltered(address: DeviceListAddress): boolean {
  return Object.keys(filterOf(address)).length > 0
}

/** Nothing of the list stands in the address: whoever comes this way wants the list as they left it. */
export function isBare(address: DeviceListAddress): boolean {
  return Object.keys(address).length === 0
}

/** A changed filter starts again at the first page and keeps the order. */
export function withFilter(address: DeviceListAddress, change: Partial<DeviceListFilterChange>): DeviceListAddress {
  const { page: _page, next: _next, ...kept } = address
  return withoutEmpty({ ...kept, ...change }) as DeviceListAddress
}

/** Absent and empty values take a part of the filter away. */
export type DeviceListFilterChange = { readonly [Key in keyof DeviceListFilter]: DeviceListFilter[Key] | undefined }

export function withSort(address: DeviceListAddress, sort: DeviceSortColumn, descending: boolean): DeviceListAddress {
  return { ...filterOf(address), sort, ...(descending ? { descending: true } : {}) }
}

export function withPage(address: DeviceListAddress, page: number, key: string | undefined): DeviceListAddress {
  const { page: _page, next: _next, ...kept } = address
  return { ...kept, ...pagePart(page, key) }
}

export function pageAfter(address: DeviceListAddress, nextKey: string): DeviceListAddress {
  return withPage(address, pageOf(address) + 1, nextKey)
}

/** A key only leads forwards, so the way back from beyond row 10,000 is the last page that has a number. */
export function pageBefore(address: DeviceListAddress): DeviceListAddress | undefined {
  const page = pageOf(address)
  return page === 1 ? undefined : withPage(address, Math.min(page - 1, LAST_NUMBERED_PAGE), undefined)
}

export function pageOf(address: DeviceListAddress): number {
  return address.page ?? 1
}

export function sortOf(address: DeviceListAddress): { column: DeviceSortColumn; descending: boolean } {
  return { column: address.sort ?? 'name', descending: address.descending ?? false }
}

export function deviceListQueryOf(address: DeviceListAddress): QueryOf<typeof listDevices> {
  const { column, descending } = sortOf(address)
  return {
    ...filterOf(address),
    sort: column,
    descending,
    pageSize: DEVICES_PER_PAGE,
    ...(address.next ? { next: address.next } : { rowNum: (pageOf(address) - 1) * DEVICES_PER_PAGE + 1 }),
  }
}

function pagePart(page: number | undefined, next: string | undefined): Pick<DeviceListAddress, 'page' | 'next'> {
  if (page === undefined || page < 2) return {}
  if (page <= LAST_NUMBERED_PAGE) return { page }
  return next ? { page, next } : {}
}

function withoutEmpty<Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
}

/** Numbers arrive as numbers or as text, depending on who wrote the address. */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : undefined
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return String(value).replaceAll('\u0000', '').slice(0, LONGEST_TEXT) || undefined
}

function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}
