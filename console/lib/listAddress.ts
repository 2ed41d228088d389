import { text, wholeNumber } from '#console/router/addressFields.ts'
import { LAST_NUMBERED_PAGE, type Place, placeAt, ROWS_PER_PAGE } from '#console/router/pages.ts'

/** What lists keep in the address, read leniently: what makes no sense is left out, the rest still counts. */

/** Parameters of an address: anything, since anybody may have written them. */
export type Parameters = Readonly<Record<string, unknown>>

export type PageAddress = Place

export function readPage({ page, next }: Parameters): PageAddress {
  return placeAt(wholeNumber(page), text(next))
}

export function pageOf({ page }: PageAddress): number {
  return page ?? 1
}

export function withPage<Address extends PageAddress>(address: Address, page: number, key: string | undefined) {
  const { page: _page, next: _next, ...kept } = address
  return { ...kept, ...placeAt(page, key) } as Address
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

export function withoutEmpty<Values extends object>(
  values: Values,
): {
  [Key in keyof Values]?: NonNullable<Values[Key]>
} {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
}

export function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}
