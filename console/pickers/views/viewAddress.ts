import { readDeviceFields } from '#console/deviceParts/deviceFields.ts'
import { addressOf, type Given } from '#console/router/addressText.ts'
import { readAddress } from '#console/router/useAddress.ts'
import { DEVICE_COLUMNS } from '#contract/call/listOptions.ts'
import type { SavedView, ViewContent, ViewPage } from '#contract/http/devices/views.ts'

export const PATHS = { devices: '/devices', locations: '/locations' } as const satisfies Record<ViewPage, string>

/** The list begins with the worst first. A view that names no order is from before that, and is ordered by name. */
export const FIRST_SORT = 'now'
const SORT_OF_VIEWS = 'name'

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** It returns what a view of the present address would keep. */
export function contentAt(page: ViewPage, given: Given): ViewContent {
  if (page === 'locations') {
    const { at } = readAddress('/locations', given)
    return { filter: filterOf(isRecord(given.filter) ? given.filter : {}), ...(at && { at }) }
  }
  const { sort = FIRST_SORT, descending, columns, density } = readAddress('/devices', given)
  return {
    filter: filterOf(given),
    ...(sort !== SORT_OF_VIEWS && { sort }),
    ...(descending && { descending }),
    ...(columns && { columns: columns.split('.') }),
    ...(density && { density }),
  }
}

const filterOf = (given: Given) => readDeviceFields(given) as ViewContent['filter']

/** The address of a view includes the order or an empty filter, because its number alone opens the view again. */
function valuesOf(page: ViewPage, { id, content }: Pick<SavedView, 'id' | 'content'>): Given {
  const { filter, sort = SORT_OF_VIEWS, descending, columns, density, at } = content
  if (page === 'locations') return { filter: readDeviceFields(filter), at, view: id }
  const known = columns?.filter(isKnownColumn).join('.')
  return { ...readDeviceFields(filter), sort, descending, columns: known, density, view: id }
}

const isKnownColumn = (word: string) => DEVICE_COLUMNS.some((one) => one === word)

export const lostColumns = ({ content }: SavedView): readonly string[] =>
  (content.columns ?? []).filter((word) => !isKnownColumn(word))

export const viewAddress = (page: ViewPage, view: SavedView) => addressOf(PATHS[page], valuesOf(page, view))

export function isChanged(page: ViewPage, view: SavedView, given: Given): boolean {
  const kept = contentAt(page, valuesOf(page, view))
  const { at, ...said } = contentAt(page, given)
  return JSON.stringify(kept) !== JSON.stringify(view.content.at && at ? { ...said, at } : said)
}

export function entryOf(page: ViewPage, given: Given): 'bare' | 'view' | 'said' {
  const { view } = readAddress(PATHS[page], given)
  const said = Object.keys(readAddress(PATHS[page], given)).length
  if (said === 0) return 'bare'
  return said === 1 && view !== undefined ? 'view' : 'said'
}
