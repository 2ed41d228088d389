/** What lists keep in the address, read leniently: what makes no sense is left out, the rest still counts. */

export const ROWS_PER_PAGE = 100
/** Pages beyond the 10,000th row are reached by key only (decisions: Calls). */
const LAST_NUMBERED_PAGE = 10_000 / ROWS_PER_PAGE
const LONGEST_TEXT = 200
const LARGEST_ID = 2_147_483_647

/** Parameters of an address: anything, since anybody may have written them. */
export type Parameters = Readonly<Record<string, unknown>>

/** Where in a list somebody is. */
export interface PageAddress {
  /** From 2; absent is the first page. */
  readonly page?: number
  /** Key of the page, where a number no longer reaches. */
  readonly next?: string
}

export function readPage({ page, next }: Parameters): PageAddress {
  return pagePart(wholeNumber(page), addressText(next))
}

export function pageOf({ page }: PageAddress): number {
  return page ?? 1
}

export function withPage<Address extends PageAddress>(address: Address, page: number, key: string | undefined) {
  const { page: _page, next: _next, ...kept } = address
  return { ...kept, ...pagePart(page, key) } as Address
}

export function pageAfter<Address extends PageAddress>(address: Address, nextKey: string): Address {
  return withPage(address, pageOf(address) + 1, nextKey)
}

/** A key only leads forwards, so the way back from beyond row 10,000 is the last page that has a number. */
export function pageBefore<Address extends PageAddress>(address: Address): Address | undefined {
  const page = pageOf(address)
  return page === 1 ? undefined : withPage(address, Math.min(page - 1, LAST_NUMBERED_PAGE), undefined)
}

/** The paging parameters of a call. */
export function pageQuery(address: PageAddress) {
  const place = address.next ? { next: address.next } : { rowNum: (pageOf(address) - 1) * ROWS_PER_PAGE + 1 }
  return { pageSize: ROWS_PER_PAGE, ...place }
}

function pagePart(page: number | undefined, next: string | undefined): PageAddress {
  if (page === undefined || page < 2) return {}
  if (page <= LAST_NUMBERED_PAGE) return { page }
  return next ? { page, next } : {}
}

export function withoutEmpty<Values extends object>(
  values: Values,
): {
  [Key in keyof Values]?: NonNullable<Values[Key]>
} {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
}

/** Numbers arrive as numbers or as text, depending on who wrote the address. */
export function wholeNumber(value: unknown, largest: number = LARGEST_ID): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isInteger(number) && number > 0 && number <= largest ? number : undefined
}

export function addressText(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return String(value).replaceAll('\u0000', '').slice(0, LONGEST_TEXT) || undefined
}

export function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}
