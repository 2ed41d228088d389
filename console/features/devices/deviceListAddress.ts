import { type DeviceFields, readDeviceFields } from '#console/lib/deviceFields.ts'
import {
  type PageAddress,
  type Parameters,
  pageQuery,
  readPage,
  withoutEmpty,
  wordOf,
} from '#console/lib/listAddress.ts'
import type { QueryOf } from '#contract/http/call.ts'
import type { listDevices } from '#contract/http/device.ts'
import {
  DEVICE_FILTERS,
  DEVICE_SORT_COLUMNS,
  type DeviceFilter,
  type DeviceSortColumn,
} from '#contract/http/listWords.ts'

/** What the filter bar holds; `filter` is the word of an overview tile. */
export interface DeviceListFilter extends DeviceFields {
  readonly filter?: DeviceFilter
}

/** Everything of the device list that lives in the address, so that Back, reload and a pasted link restore it. */
export interface DeviceListAddress extends DeviceListFilter, PageAddress {
  readonly sort?: DeviceSortColumn
  readonly descending?: true
}

/** Reads an address leniently: what makes no sense is left out, the rest still counts. */
export function readDeviceListAddress(parameters: Parameters): DeviceListAddress {
  const sort = wordOf(DEVICE_SORT_COLUMNS, parameters.sort)
  return {
    ...readDeviceListFilter(parameters),
    ...(sort ? { sort } : {}),
    ...(String(parameters.descending) === 'true' ? { descending: true as const } : {}),
    ...readPage(parameters),
  }
}

export function readDeviceListFilter(parameters: Parameters): DeviceListFilter {
  return withoutEmpty({ ...readDeviceFields(parameters), filter: wordOf(DEVICE_FILTERS, parameters.filter) })
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

export function sortOf(address: DeviceListAddress): { column: DeviceSortColumn; descending: boolean } {
  return { column: address.sort ?? 'name', descending: address.descending ?? false }
}

export function deviceListQueryOf(address: DeviceListAddress): QueryOf<typeof listDevices> {
  const { column, descending } = sortOf(address)
  return {
    ...filterOf(address),
    sort: column,
    descending,
    ...pageQuery(address),
  }
}
