import { isOneLine, tidied } from '../texts/nameRule.ts'

/** Free labels of a device: people find, narrow and gather devices by them. */

export const MOST_TAGS = 20
export const LONGEST_TAG = 40
/** As it may be sent: an accent may be a character of its own, and blanks around it are taken away. */
export const LONGEST_SENT_TAG = 4 * LONGEST_TAG

/** It stands between tags, in addresses and where people write several. */
const SEPARATOR = ','

/** As it is kept and shown. */
const kept = (text: string) => tidied(text.normalize('NFC')).replaceAll(/\s+/g, ' ')

/** What a tag has to be beyond a name. */
export const fitsTag = (text: string) => !text.includes(SEPARATOR) && kept(text).length <= LONGEST_TAG

export function isTag(text: string): boolean {
  const given = tidied(text)
  return given !== '' && given.isWellFormed() && isOneLine(given) && fitsTag(given)
}

/** Two tags are one where this is equal: whatever the case. */
export const tagKey = (text: string) => kept(text).toUpperCase().toLowerCase().normalize('NFC')

/** Each once, in their order, as it was written first. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), kept(tag))
  return [...byKey.values()]
}

interface TagChange {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/** What a device has after a change; a tag that it had keeps its letters. */
export function changedTags(present: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const removed = new Set(remove.map(tagKey))
  return distinctTags([...present.filter((tag) => !removed.has(tagKey(tag))), ...add])
}
