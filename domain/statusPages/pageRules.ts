export const PAGE_MODES = ['off', 'public', 'secret'] as const
export type PageMode = (typeof PAGE_MODES)[number]

/** The address of a public page is shorter than the secret of another, so that neither can be the other. */
export const LONGEST_SLUG = 40
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

export const isSlug = (text: string): boolean => text.length >= 3 && text.length <= LONGEST_SLUG && SLUG.test(text)

/** 256 bits, as 43 letters, digits, dashes and underscores. */
export const SECRET_ADDRESS = /^[A-Za-z0-9_-]{43}$/

/** Whether a page can have such an address at all. */
export const isPageAddress = (text: string): boolean => isSlug(text) || SECRET_ADDRESS.test(text)

export const PAST_DAYS = 14
export const AVAILABILITY_DAYS = 90

/**
 * Returns the place of a device: the rest of its first tag that begins with the prefix.
 *
 * @returns undefined if there is no such tag
 */
export function placeOf(tags: readonly string[], prefix: string): string | undefined {
  if (prefix === '') return undefined
  const found = tags.find((tag) => tag.toLowerCase().startsWith(prefix.toLowerCase()))
  return found?.slice(prefix.length).trim() || undefined
}
